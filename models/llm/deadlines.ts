import { isTimeout } from '../http/is-timeout.ts';
import { ProviderError } from '../ports.ts';

/** Longer than this and a conversation has stalled: another endpoint, or an apology, is better. */
export const FIRST_TOKEN_TIMEOUT_MS = 15_000;
/** A stream that stops for this long will not go on. */
export const IDLE_TIMEOUT_MS = 15_000;
/**
 * While another LLM can be asked, the user waits no longer: twice as long as for a voice before the first token, as
 * models may think, and a little longer than for a voice in the middle, where sentences wait to be spoken.
 */
const HURRIED_FIRST_TOKEN_MS = 8_000;
const HURRIED_IDLE_MS = 5_000;
/** A host that does not accept a connection by now is down. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** A turn comes every few seconds: its request should not have to set up a connection again. */
export const KEEP_ALIVE_MS = 60_000;

export interface Deadlines {
  readonly firstTokenMs: number;
  readonly idleMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = { firstTokenMs: FIRST_TOKEN_TIMEOUT_MS, idleMs: IDLE_TIMEOUT_MS };
export const HURRIED_DEADLINES: Deadlines = { firstTokenMs: HURRIED_FIRST_TOKEN_MS, idleMs: HURRIED_IDLE_MS };

/**
 * Runs a stream that must begin and go on in time, and ends it when the caller's signal fires. The time that the
 * consumer takes for an item does not count.
 * @param open starts the request; the signal it gets also fires when a deadline passes, with the error as its reason.
 * @throws ProviderError `timeout` or `aborted`; otherwise whatever the stream throws.
 */
export async function* withDeadlines<T>(
  provider: string,
  deadlines: Deadlines,
  callerSignal: AbortSignal,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  if (callerSignal.aborted) throw aborted(provider, callerSignal);
  const abort = new AbortController();
  const stream = open(abort.signal)[Symbol.asyncIterator]();
  let started = false;
  try {
    for (;;) {
      const limit = started ? deadlines.idleMs : deadlines.firstTokenMs;
      const late = new ProviderError(
        provider,
        'timeout',
        started
          ? `The language model stopped in the middle of its answer for ${limit / 1000} seconds.`
          : `The language model did not begin to answer within ${limit / 1000} seconds.`,
      );
      const item = await inTime(stream.next(), limit, callerSignal, late, provider);
      if (item.done === true) return;
      started = true;
      yield item.value;
    }
  } catch (error) {
    abort.abort(error);
    throw error;
  } finally {
    abort.abort();
    // The stream may hang in a read that ignores the signal; nobody waits for it.
    void Promise.resolve(stream.return?.()).catch(() => {});
  }
}

function inTime<T>(work: Promise<T>, ms: number, signal: AbortSignal, late: Error, provider: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(late)), ms);
    const onAbort = (): void => settle(() => reject(aborted(provider, signal)));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    function settle(done: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      done();
    }
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

/** Why the caller left: it gave the endpoint a time, or wants no answer any more. */
function aborted(provider: string, { reason }: AbortSignal): ProviderError {
  return isTimeout(reason)
    ? new ProviderError(provider, 'timeout', 'The language model did not answer in time.')
    : new ProviderError(provider, 'aborted', 'The answer is no longer wanted.');
}
