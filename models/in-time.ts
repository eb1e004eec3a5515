import type { Timers } from '../runtime/clock.ts';
import { ProviderError } from './ports.ts';

/**
 * Reads a stream of a provider, and ends it if nothing comes for some time.
 * @param open gets a signal that is aborted when the stream is not wanted any more. @param limitMs null: no limit.
 * @throws ProviderError `timeout`, or what the stream throws.
 */
export async function* inTime<T>(
  provider: string,
  open: (signal: AbortSignal) => AsyncIterable<T>,
  limitMs: number | null,
  timers: Timers,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const over = new AbortController();
  const iterator = open(AbortSignal.any([signal, over.signal]))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const result = await within(iterator.next(), provider, limitMs, timers);
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    over.abort();
    // A stream that hangs may ignore this. It is not waited for.
    iterator.return?.().catch(() => undefined);
  }
}

async function within<T>(result: Promise<T>, provider: string, limitMs: number | null, timers: Timers): Promise<T> {
  if (limitMs === null) return result;
  result.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = timers.setTimeout(
    () => late.reject(new ProviderError(provider, 'timeout', 'The provider did not answer in time.')),
    limitMs,
  );
  try {
    return await Promise.race([result, late.promise]);
  } finally {
    timers.clearTimeout(timer);
  }
}
