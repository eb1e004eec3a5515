import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { LinkHandlers } from '../../../runtime/link.ts';
import type { FromPrepareWorker, ToPrepareWorker } from '../worker/protocol.ts';
import { createPreparer, STEP_LIMIT_MS } from './preparer.ts';

const DRAWN = new SharedArrayBuffer(8);

/** A preparer whose workers do what the test makes them do. */
function preparerOf() {
  const clock = new SimulatedClock();
  const workers: { readonly got: ToPrepareWorker[]; readonly handlers: LinkHandlers<FromPrepareWorker> }[] = [];
  const preparer = createPreparer({
    cacheDir: '',
    log: pino({ level: 'silent' }),
    onLoop: () => {},
    clock,
    launch(handlers) {
      const got: ToPrepareWorker[] = [];
      workers.push({ got, handlers });
      return {
        post: (message) => void got.push(message),
        kill: () => queueMicrotask(() => handlers.ended({ how: 'killed', error: null })),
      };
    },
  });
  const asked = (start: number) => expect.poll(() => workers[start]?.got.length).toBe(1);
  const jobOf = (start: number) => (workers[start]!.got[0] as { job: number }).job;
  return { preparer, clock, workers, asked, jobOf };
}

describe('a worker that draws an avatar', () => {
  it('and hangs is replaced, and the next one finishes the work', async () => {
    const { preparer, clock, workers, asked, jobOf } = preparerOf();
    const { whole } = preparer.prepare('mira', 8, 8, 'session');
    await asked(0);
    clock.increment(STEP_LIMIT_MS - 1);
    expect(workers).toHaveLength(1);
    clock.increment(1);
    await asked(1);
    workers[1]!.handlers.message({
      type: 'prepared',
      job: jobOf(1),
      prepared: DRAWN,
      tookMs: 1,
    });
    expect(await whole).toBe(DRAWN);
  });

  it('for a long time, step by step, is left alone', async () => {
    const { preparer, clock, workers, asked, jobOf } = preparerOf();
    const { whole } = preparer.prepare('mira', 8, 8, 'session');
    await asked(0);
    for (let minute = 0; minute < 10; minute += 1) {
      clock.increment(STEP_LIMIT_MS - 1);
      workers[0]!.handlers.message({ type: 'stepped' });
    }
    workers[0]!.handlers.message({ type: 'prepared', job: jobOf(0), prepared: DRAWN, tookMs: 1 });
    expect(await whole).toBe(DRAWN);
    expect(workers).toHaveLength(1);
  });

  it('on which every worker hangs is given up', async () => {
    const { preparer, clock, workers, asked } = preparerOf();
    const { whole } = preparer.prepare('mira', 8, 8, 'session');
    const failed = expect(whole).rejects.toThrow('the preparing worker keeps failing');
    for (const start of [0, 1, 2]) {
      await asked(start);
      clock.increment(STEP_LIMIT_MS);
    }
    await failed;
    expect(workers).toHaveLength(3);
  });
});
