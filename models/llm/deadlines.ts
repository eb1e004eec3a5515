import { systemTimers } from '../../runtime/clock.ts';
import { isTimeout } from '../http/is-timeout.ts';
import { withTimeouts } from '../stream-timeouts.ts';
import { ProviderError } from '../ports.ts';

/** Longest time to the first token. After that, another endpoint or an apology is better. */
export const FIRST_TOKEN_TIMEOUT_MS = 15_000;
/** Longest time between two tokens. */
export const IDLE_TIMEOUT_MS = 15_000;
/**
 * Deadlines while another LLM can be asked. Before the first token, it is twice the time of a voice, because models may
 * think. Later, it is a little more than that of a voice, because sentences wait to be spoken.
 */
const HURRIED_FIRST_TOKEN_MS = 8_000;
const HURRIED_IDLE_MS = 5_000;
/** Longest time to connect. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** Connections are kept open: a turn comes every few seconds. */
export const KEEP_ALIVE_MS = 60_000;

export interface Deadlines {
  readonly firstTokenMs: number;
  readonly idleMs: number;
}

export const DEFAULT_DEADLINES: Deadlines = { firstTokenMs: FIRST_TOKEN_TIMEOUT_MS, idleMs: IDLE_TIMEOUT_MS };
/** Of a check: nobody waits in a conversation, and a server of one's own loads its model at the first request. */
export const PATIENT_DEADLINES: Deadlines = { firstTokenMs: 50_000, idleMs: 30_000 };
export const HURRIED_DEADLINES: Deadlines = { firstTokenMs: HURRIED_FIRST_TOKEN_MS, idleMs: HURRIED_IDLE_MS };

/**
 * Reads a stream of an LLM within deadlines.
 * @param open starts the request. Its signal is aborted when a deadline passes, with the error as its reason.
 * @throws ProviderError `timeout` or `aborted`; otherwise what the stream throws.
 */
export function withDeadlines<T>(
  provider: string,
  { firstTokenMs, idleMs }: Deadlines,
  signal: AbortSignal,
  open: (signal: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const limitMs = (started: boolean): number => (started ? idleMs : firstTokenMs);
  return withTimeouts(open, {
    timers: systemTimers,
    signal,
    limitMs,
    late: (started) =>
      new ProviderError(
        provider,
        'timeout',
        started
          ? `The language model stopped in the middle of its answer for ${limitMs(true) / 1000} seconds.`
          : `The language model did not begin to answer within ${limitMs(false) / 1000} seconds.`,
      ),
    left: () => aborted(provider, signal),
  });
}

/** The error after the caller's abort: its own time limit, or the answer is not wanted any more. */
function aborted(provider: string, { reason }: AbortSignal): ProviderError {
  return isTimeout(reason)
    ? new ProviderError(provider, 'timeout', 'The language model did not answer in time.')
    : new ProviderError(provider, 'aborted', 'The answer is no longer wanted.');
}
