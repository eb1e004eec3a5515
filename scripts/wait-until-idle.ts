/**
 * Waits until no session is live, then exits. Kubernetes runs it before it stops a pod (preStop), when no new client can
 * reach that pod any more:
 *
 *   node scripts/wait-until-idle.ts SECONDS     exits after so many seconds in any case
 */
import { setTimeout as pause } from 'node:timers/promises';
import { untilIdle } from './service/until-idle.ts';

const ASK_EVERY_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;

const longestSeconds = Number(process.argv[2]);
if (!(longestSeconds > 0)) {
  console.error('How many seconds at most? node scripts/wait-until-idle.ts SECONDS');
  process.exit(2);
}
setTimeout(() => process.exit(0), longestSeconds * 1000).unref();

const url = `http://127.0.0.1:${process.env['PORT'] || '8080'}/readyz`;

await untilIdle({
  // With 503, too, the answer says how many sessions are live.
  async ask() {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return answer.json();
  },
  pause: () => pause(ASK_EVERY_MS),
});
