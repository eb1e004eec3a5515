/**
 * What an engine process tells its supervisor, as often as it is asked for and one message after the other: `journal` lines
 * of 256 characters, or `calls` that renew its lease. Started by `supervisor-cost.ts`.
 */
import type { SupervisorFunctions } from '../../control/placement/engine-processes/engine-process.ts';
import type { FromEngine } from '../../control/placement/engine-processes/messages.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { RemoteCalls, type AnswerMessage } from '../../runtime/remote-calls.ts';

export interface Wanted {
  readonly kind: 'journal' | 'calls';
  readonly count: number;
}

/** 2.3 k characters in 12 writes a second (`docs/decisions/takeover.md`), and a third more when they are sealed. */
const LINE = 'x'.repeat(256);
const SESSIONS = 30;

const tell = (message: FromEngine): Promise<void> =>
  new Promise((done) => process.send!(message, undefined, {}, () => done()));
const calls = new RemoteCalls<SupervisorFunctions>((message) => void tell(message), systemTimers);
const report = {
  id: 'main.1',
  region: 'eu',
  url: 'http://127.0.0.1:1',
  version: '1',
  places: 30,
  used: 20,
  draining: false,
};

async function serve({ kind, count }: Wanted): Promise<void> {
  if (kind === 'journal') {
    for (let n = 0; n < count; n += 1) {
      const addition = { sessionId: `session-${n % SESSIONS}`, entries: [LINE], state: null };
      await tell({ kind: 'journal', addition });
    }
  } else {
    const fence = await calls.call('registry.renew', 5000, report, null);
    for (let n = 1; n < count; n += 1) await calls.call('registry.renew', 5000, report, fence);
  }
  await tell({ kind: 'ready' });
}

process.on('message', (message: AnswerMessage | (Wanted & { readonly kind: Wanted['kind'] })) => {
  if (message.kind === 'answer') calls.answered(message);
  // Packets of clients are only received.
  else if (message.kind === 'journal' || message.kind === 'calls') void serve(message);
});
