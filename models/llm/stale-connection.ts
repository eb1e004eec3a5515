import type { Fetch } from './definition.ts';

/** How a connection looks that the other side closed while it was kept for the next request. */
const CLOSED_BY_PEER: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Repeats a request once when its connection turns out to be closed before any answer. Kept connections make this a
 * matter of chance, and asking a model twice does no harm. For webhooks it might, so they go without.
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
