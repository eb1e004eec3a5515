import type { Fetch } from './definition.ts';

/** Error codes of a kept connection that the server has closed. */
const CLOSED_BY_PEER: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Repeats a request once if its connection was closed before any answer: a kept connection may be closed at any time.
 * Asking a model twice does no harm. A webhook might have an effect twice, so it is not repeated.
 */
export function retryStaleConnection(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (init?.signal?.aborted === true || !closedByPeer(error)) throw error;
      return fetch(input, init);
    }
  };
}

function closedByPeer(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && CLOSED_BY_PEER.has(cause.code);
}
