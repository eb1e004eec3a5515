import {
  isJSONRPCRequest,
  StreamableHTTPClientTransport,
  type AuthProvider,
  type ClientCredentialsProvider,
  type FetchLike,
  type JSONRPCMessage,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { limitFetch } from '../../../models/http/limit-fetch.ts';
import type { Fetch } from '../../net/guarded-fetch.ts';
import { withCleanTools } from './clean-tool-list.ts';

/** One answer of a server: 100 tools with schemas of 10 KB. */
export const MOST_ANSWER_BYTES = 1024 * 1024;
/** Longer than any call may take: calls have a time-out of their own. */
const WHOLE_ANSWER_MS = 90_000;
/** Of JSON-RPC: from -32000 on, what an implementation defines. */
const IMPLEMENTATION_ERROR = -32_000;

/** `data` of the error that a request ends with when the server closes the stream without an answer. */
export const STREAM_ENDED = 'parley: the stream ended without an answer';

/**
 * Streamable HTTP as the library speaks it, with four differences. One malformed tool does not cost the others. A request whose stream ends without an answer
 * fails at once: the library would wait until its time-out. A cancelled request closes its connection: the library
 * only tells the server. And answers have limits.
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http)
 */
export class BoundedTransport extends StreamableHTTPClientTransport {
  readonly #running = new Map<string | number, AbortController>();
  #cleans = false;

  /** @param fetch reaches only public hosts: see `createGuardedFetch`. */
  constructor(url: URL, fetch: Fetch, authProvider: AuthProvider | ClientCredentialsProvider | null) {
    super(url, { fetch: boundedFetch(fetch), ...(authProvider !== null && { authProvider }) });
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) {
      const cancelled = cancelledBy(message);
      if (cancelled !== null) this.#running.get(cancelled)?.abort();
      return super.send(message as JSONRPCMessage, options as never);
    }
    this.#cleanTools();
    const { id } = message;
    const running = new AbortController();
    this.#running.set(id, running);
    const requestSignal = options?.requestSignal
      ? AbortSignal.any([options.requestSignal, running.signal])
      : running.signal;
    const onRequestStreamEnd = (): void => {
      this.#running.delete(id);
      const error = { code: IMPLEMENTATION_ERROR, message: STREAM_ENDED };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    };
    try {
      await super.send(message, { ...options, requestSignal, onRequestStreamEnd } as never);
    } catch (error) {
      this.#running.delete(id);
      throw error;
    }
  }

  /** One malformed tool costs one tool: the library would refuse them all. It sets `onmessage` before it sends. */
  #cleanTools(): void {
    const receive = this.onmessage;
    if (this.#cleans || receive === undefined) return;
    this.#cleans = true;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport of the library has no listeners
    this.onmessage = (message, ...more) => receive(withCleanTools(message), ...more);
  }
}

/** @returns the id of the request that a notification cancels. */
function cancelledBy(message: JSONRPCMessage | JSONRPCMessage[]): string | number | null {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'notifications/cancelled') return null;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Limits on every answer, those of an authorization server included. */
function boundedFetch(fetch: Fetch): FetchLike {
  const limited = limitFetch(fetch, {
    bodyBytes: MOST_ANSWER_BYTES,
    unit: { kind: 'event', bytes: MOST_ANSWER_BYTES },
    wholeMs: WHOLE_ANSWER_MS,
  });
  return async (url, init) => {
    // The stream of the server's own messages would hold a socket for each session, and nothing of it is used. 405 is
    // how a server says that it has none.
    if (isListening(init)) return new Response(null, { status: 405 });
    return limited(url, init);
  };
}

function isListening(init: RequestInit | undefined): boolean {
  if ((init?.method ?? 'GET') !== 'GET') return false;
  const headers = new Headers(init?.headers);
  return headers.get('accept')?.includes('text/event-stream') === true && !headers.has('last-event-id');
}
