/**
 * The only place that reads the machine's clock. Engine time is in ms since the epoch, monotonic within a thread,
 * with sub-millisecond parts, and comparable between the threads of one process.
 */
export function engineNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The machine's clock and timers, for parts that take theirs from outside. */
export const systemTimers = {
  now: engineNow,
  setTimeout: (fn: (...args: unknown[]) => void, timeoutMs: number): unknown => setTimeout(fn, timeoutMs),
  clearTimeout: (id: unknown): void => clearTimeout(id as NodeJS.Timeout),
};

/** The same in the shape that XState and the actors take: ms since `startedAt`, which is engine time. */
export function createSessionClock(startedAt: number) {
  return { ...systemTimers, now: () => engineNow() - startedAt };
}
