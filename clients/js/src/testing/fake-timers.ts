import type { Timers } from '../platform.ts';

/** Timers that run when told to. */
export interface FakeTimers extends Timers {
  /** Ms since the beginning. */
  readonly now: () => number;
  /** Runs all that is due within this time, in order. */
  pass(ms: number): void;
  readonly pending: () => number;
}

export function fakeTimers(): FakeTimers {
  const pending = new Map<number, { run: () => void; at: number }>();
  let now = 0;
  let id = 0;
  return {
    now: () => now,
    pending: () => pending.size,
    set(run, ms) {
      id += 1;
      pending.set(id, { run, at: now + ms });
      return id;
    },
    clear: (timer) => void pending.delete(timer as number),
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...pending.entries()]
          .filter(([, { at }]) => at <= end)
          .toSorted(([, a], [, b]) => a.at - b.at)[0];
        if (next === undefined) break;
        pending.delete(next[0]);
        now = next[1].at;
        next[1].run();
      }
      now = end;
    },
  };
}
