/**
 * The only place that reads the machine's clock. Engine time is in ms since the epoch, monotonic within a thread, with
 * fractions of a millisecond, and comparable between the threads of one process.
 */
export function engineNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Time for a part that takes it from outside, in ms. XState's `SimulatedClock` fits. */
export interface Timers {
  now(): number;
  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown;
  clearTimeout(id: unknown): void;
}

/** The machine's own. */
export const systemTimers: Timers = {
  now: engineNow,
  setTimeout: (fn, timeoutMs) => setTimeout(fn, timeoutMs),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
};
