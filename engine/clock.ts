/**
 * The only place that reads the machine's clock. Engine time is in ms since the epoch, monotonic within a thread,
 * with sub-millisecond parts, and comparable between the threads of one process.
 */
export function engineNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Timers of the machine, in the shape that XState and the actors take. `startedAt` is engine time. */
export function createSessionClock(startedAt: number) {
  return {
    now: () => engineNow() - startedAt,
    setTimeout: (fn: (...args: unknown[]) => void, timeoutMs: number): unknown => setTimeout(fn, timeoutMs),
    clearTimeout: (id: unknown): void => clearTimeout(id as NodeJS.Timeout),
  };
}
