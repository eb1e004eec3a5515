import type { Timers } from '../runtime/clock.ts';

/** How long a stream of a provider may take, and the errors for it. */
export interface TimeLimits {
  readonly timers: Timers;
  /** The caller's. When it is aborted, the stream is left at once, also if it ignores the signal. */
  readonly signal: AbortSignal;
  /** Longest time to the next item, ms. Null: no limit. @param started whether an item has come. */
  limitMs(started: boolean): number | null;
  /** The error when this time is over. */
  late(started: boolean): Error;
  /** The error when the caller's signal is aborted. */
  left(): Error;
}

/**
 * Reads a stream of a provider within limits. The time that the consumer takes for an item does not count.
 * @param open gets a signal that is aborted when the stream is not wanted any more, with the error as its reason.
 * @throws `late`, `left`, or what the stream throws.
 */
export async function* inTime<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  limits: TimeLimits,
): AsyncGenerator<T, void, undefined> {
  if (limits.signal.aborted) throw limits.left();
  const over = new AbortController();
  const stream = open(over.signal)[Symbol.asyncIterator]();
  let started = false;
  try {
    for (;;) {
      const item = await within(stream.next(), started, limits);
      if (item.done === true) return;
      started = true;
      yield item.value;
    }
  } catch (error) {
    over.abort(error);
    throw error;
  } finally {
    over.abort();
    // A stream that hangs may ignore this. It is not waited for.
    void Promise.resolve(stream.return?.()).catch(() => {});
  }
}

function within<T>(next: Promise<T>, started: boolean, limits: TimeLimits): Promise<T> {
  const { signal, timers } = limits;
  return new Promise((resolve, reject) => {
    const limit = limits.limitMs(started);
    const timer = limit === null ? null : timers.setTimeout(() => settle(() => reject(limits.late(started))), limit);
    const leave = (): void => settle(() => reject(limits.left()));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    function settle(done: () => void): void {
      if (timer !== null) timers.clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      done();
    }
    next.then(
      (item) => settle(() => resolve(item)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
