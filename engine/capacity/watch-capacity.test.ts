import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { watchCapacity, type Capacity } from './index.ts';
import type { Machine } from './machine.ts';

let capacity: Capacity | null = null;
afterEach(() => capacity?.close());

/** 0.09 of a core a session. */
const FRAME_MS = 0.5;

function watch(machine: Machine, { live = 3, frameMs = [FRAME_MS] }: { live?: number; frameMs?: number[] } = {}) {
  const clock = new SimulatedClock();
  const signs = { framesLateMs: 0 };
  const saved: string[] = [];
  const encoded: string[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const made = watchCapacity({
    wanted: 'auto',
    dataDir: '/not/used',
    measure: () => {
      const next = frameMs.length > 1 ? frameMs.shift()! : frameMs[0]!;
      return Promise.resolve({ frameMs: next, motionPrecision: 'half pixel' });
    },
    liveSessions: () => live,
    work: { recognizesHere: false },
    framesLateMs: () => signs.framesLateMs,
    save: (shedding) => void saved.push(shedding),
    encodeWith: (motionPrecision) => void encoded.push(motionPrecision),
    log,
    timers: clock,
    machine,
  });
  capacity = made;
  /** Lets seconds pass. The machine is read between them. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.increment(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { made, signs, saved, encoded, lines, pass };
}

const quiet: Machine = {
  cores: 4,
  loopDelayMs: () => 1,
  close() {},
  totals: async () => ({ machineCpuS: 10, ownCpuS: 5, waitedMs: 0, freeMemoryBytes: 2 ** 34 }),
};

it('plans with the measured speed of the machine, and encodes faces as is quickest here', async () => {
  const { made, lines, encoded } = watch(quiet);
  await expect.poll(() => lines).toContain('This machine was measured');
  expect(made.state(3)).toMatchObject({ refusal: null, promise: 'kept' });
  expect(encoded).toEqual(['half pixel']);
});

it('takes nobody and shows faces with less effort while frames are late, then returns to normal', async () => {
  const { made, signs, saved, lines, pass } = watch(quiet);
  await pass(3);
  signs.framesLateMs = 120;
  await pass(2);
  expect(made.state(3)).toMatchObject({ refusal: 'promise at risk', promise: 'at risk' });
  signs.framesLateMs = 2;
  await pass(12);
  expect(made.state(3).refusal).toBeNull();
  expect(saved).toEqual(['loops', 'none']);
  expect(lines.filter((line) => line !== 'This machine was measured')).toEqual([
    'The machine is too busy: no further session is taken, and faces are shown with less effort',
    'No live session suffers from a busy machine any more',
  ]);
});

// `/readyz` fell from 11 places to 1 beside an installation of packages, until the next start.
it('measures the machine again when nobody talks, since it was busy with something else at the start', async () => {
  const { made, pass } = watch(quiet, { live: 0, frameMs: [2, FRAME_MS] });
  await pass(3);
  const { places } = made.state(0);
  await pass(60);
  expect(made.state(0).places).toBeGreaterThan(2 * places);
});

it('does not measure it beside a conversation', async () => {
  const { made, pass } = watch(quiet, { frameMs: [2, FRAME_MS] });
  await pass(3);
  const { places } = made.state(0);
  await pass(120);
  expect(made.state(0).places).toBe(places);
});

it('looks again after the machine could not be read', async () => {
  let reads = 0;
  const { signs, saved, lines, pass } = watch({
    ...quiet,
    async totals() {
      reads += 1;
      if (reads === 1) throw new Error('no such file');
      return await quiet.totals();
    },
  });
  signs.framesLateMs = 120;
  await pass(5);
  expect(lines).toContain('The load of the machine could not be read');
  expect(saved).toEqual(['loops']);
});
