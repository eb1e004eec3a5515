import type { Timers } from '../runtime/clock.ts';

/** Time limits of a provider's stream, with their errors. */
export interface StreamTimeouts {
  readonly timers: Timers;
  /** The caller's signal. When it is aborted, reading ends at once, even if the stream ignores the signal. */
  readonly signal: AbortSignal;
  /** Longest time to the next item, ms. Null: no limit. @param started whether an item has come. */
  limitMs(started: boolean): number | null;
  /** The error when the time is over. */
  late(started: boolean): Error;
  /** The error when the caller's signal is aborted. */
  left(): Error;
}

/**
 * Reads a provider's stream within time limits. The time that the consumer takes for an item does not count.
 * @param open gets a signal that is aborted, with the error as its reason, when the stream is no longer wanted.
 * @throws `late`, `left`, or what the stream throws.
 */
export async function* withTimeouts<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  limits: StreamTimeouts,
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

function within<T>(next: Promise<T>, started: boolean, limits: StreamTimeouts): Promise<T> {
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
