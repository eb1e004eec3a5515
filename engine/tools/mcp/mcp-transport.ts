import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isJSONRPCErrorResponse,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type AuthProvider,
  type ClientCredentialsProvider,
  type FetchLike,
  type JSONRPCMessage,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { AnswerLimitError } from '../../../models/http/answer-limits.ts';
import { limitFetch } from '../../../models/http/limit-fetch.ts';
import type { Fetch } from '../../net/guarded-fetch.ts';
import { boundedAnswer } from './answer-bounds.ts';
import { CookieJar } from './cookie-jar.ts';
import { sanitizeAnswer } from './sanitize-answer.ts';
import type { Asked } from './sanitize-message.ts';

/** One answer of a server: 100 tools with schemas of 10 KB. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Longer than any call may take: calls have a time-out of their own. */
const WHOLE_ANSWER_MS = 90_000;
/** Of JSON-RPC: from -32000 on, what an implementation defines. */
const IMPLEMENTATION_ERROR = -32_000;

/** Requests whose answers may still come on a stream that was taken up again. */
const MAX_ASKED = 64;

/**
 * What a server may ask (pings, mostly) from one request of this client to the next. The library answers each with a
 * request of its own: 15,000 pings were 15,000 connections, and a gap of 5.7 s in the sound of others.
 */
const MAX_REQUESTS_OF_SERVER = 32;

/** Message of the error that a request ends with when the server closes the stream without an answer. */
export const STREAM_ENDED = 'parley: the stream ended without an answer';
/** Begins the message of the error that requests end with when the connection is closed: the reason follows. */
export const REFUSED = 'parley: refused: ';

/**
 * Streamable HTTP as the library speaks it, with six differences. What a server answers is put into the form of the
 * specification: one malformed tool or message does not cost the others. A notification that a server refuses is no
 * failure. A request whose stream ends without an answer fails at once: the library would wait until its time-out. A
 * cancelled request closes its connection: the library only tells the server. Answers have limits. And so has what a
 * server asks: it is answered one by one, and beyond the limit the connection is closed.
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http)
 */
export class BoundedTransport extends StreamableHTTPClientTransport {
  readonly #running = new Map<string | number, AbortController>();
  #receive: ((message: JSONRPCMessage) => void) | null = null;
  /** What the server has asked since the last request of this client. */
  #asked = 0;
  /** The last answer to the server: the next one waits for it. */
  #answered: Promise<unknown> = Promise.resolve();
  #refused = false;

  /** @param fetch reaches only public hosts: see `createGuardedFetch`. */
  constructor(url: URL, fetch: Fetch, authProvider: AuthProvider | ClientCredentialsProvider | null) {
    let refuse = (error: AnswerLimitError): void => void error;
    const bounded = boundedFetch(fetch, (error) => refuse(error));
    super(url, { fetch: bounded, ...(authProvider !== null && { authProvider }) });
    refuse = ({ message }) => this.#refuse(message);
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) {
      const cancelled = cancelledBy(message);
      if (cancelled !== null) this.#running.get(cancelled)?.abort();
      if (!isAnswer(message)) return super.send(message as never, options as never).catch(unlessRefusedNotification);
      const sent = this.#answered.then(() => super.send(message as never, options as never));
      this.#answered = sent.catch(() => {});
      return sent;
    }
    this.#listen();
    this.#asked = 0;
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

  /** Comes before the library, which has set `onmessage` before it sends. */
  #listen(): void {
    const receive = this.onmessage;
    if (this.#receive !== null || receive === undefined) return;
    this.#receive = receive;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport of the library has no listeners
    this.onmessage = (message, ...more) => {
      if (this.#refused) return;
      this.#asked += isJSONRPCRequest(message) ? 1 : 0;
      if (this.#asked > MAX_REQUESTS_OF_SERVER)
        return this.#refuse(`sent more than ${MAX_REQUESTS_OF_SERVER} requests during a call`);
      receive(message, ...more);
    };
  }

  /** Closes every connection to the server. What waits for it ends with the reason. */
  #refuse(reason: string): void {
    if (this.#refused) return;
    this.#refused = true;
    const error = { code: IMPLEMENTATION_ERROR, message: `${REFUSED}${reason}` };
    for (const id of this.#running.keys()) this.#receive?.({ jsonrpc: '2.0', id, error });
    this.#running.clear();
    void this.close();
  }
}

/** Home-made servers answer a notification with 400, 404 or 500: it has no id. What matters is asked afterwards. */
function unlessRefusedNotification(error: unknown): void {
  if (error instanceof SdkHttpError && error.status !== 401 && error.status !== 403) return;
  throw error;
}

function isAnswer(message: JSONRPCMessage | JSONRPCMessage[]): boolean {
  return !Array.isArray(message) && (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message));
}

/** @returns the id of the request that a notification cancels. */
function cancelledBy(message: JSONRPCMessage | JSONRPCMessage[]): string | number | null {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'notifications/cancelled') return null;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Limits on every answer, those of an authorization server included. */
function boundedFetch(fetch: Fetch, refused: (error: AnswerLimitError) => void): FetchLike {
  const limited = limitFetch(fetch, {
    bodyBytes: MAX_ANSWER_BYTES,
    unit: { kind: 'event', bytes: MAX_ANSWER_BYTES },
    wholeMs: WHOLE_ANSWER_MS,
  });
  const cookies = new CookieJar();
  /** The last requests: a stream that goes on answers one of them. */
  let asked: readonly Asked[] = [];
  return async (url, init) => {
    // The stream of the server's own messages would hold a socket for each session, and nothing of it is used. 405 is
    // how a server says that it has none.
    if (isListening(init)) return new Response(null, { status: 405 });
    const request = askedBy(init);
    if (request !== null) asked = [request, ...asked].slice(0, MAX_ASKED);
    // It keeps its method and its body, and its keys stay with their origin: see `followRedirects`.
    const answer = await limited(url, { ...cookies.add(url, init), redirect: 'follow' });
    cookies.take(url, answer);
    return sanitizeAnswer(boundedAnswer(answer, refused), answered(init, request, asked));
  };
}

function answered(init: RequestInit | undefined, request: Asked | null, last: readonly Asked[]): readonly Asked[] {
  if (request !== null) return [request];
  return new Headers(init?.headers).has('last-event-id') ? last : [];
}

/** The request of JSON-RPC that is sent. @returns null for what is none, or is not answered. */
function askedBy(init: RequestInit | undefined): Asked | null {
  if (init?.method !== 'POST' || typeof init.body !== 'string' || !init.body.startsWith('{')) return null;
  const { id, method } = JSON.parse(init.body) as Partial<Asked>;
  return id === undefined || method === undefined ? null : { id, method };
}

function isListening(init: RequestInit | undefined): boolean {
  if ((init?.method ?? 'GET') !== 'GET') return false;
  const headers = new Headers(init?.headers);
  return headers.get('accept')?.includes('text/event-stream') === true && !headers.has('last-event-id');
}
