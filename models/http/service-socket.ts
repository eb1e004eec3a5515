import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { outgoingSocketAgent } from './outgoing.ts';
import type { Timers } from '../../runtime/clock.ts';
import { type ReadAllowances, ReadRateLimit } from '../../runtime/read-rate-limit.ts';

/** Makes the TCP or TLS connection to an address. @throws when it may not be reached. */
export type Dial = (url: URL) => Promise<Duplex>;

export interface ServiceSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Longest handshake, ms, with the connection under it. */
  readonly handshakeMs: number;
  /** Longest message from the service, bytes. */
  readonly longestMessageBytes: number;
  /** Time between pings, ms. If one is not answered until the next, the connection is lost. */
  readonly pingEveryMs: number;
  readonly timers: Timers;
  /** @defaultValue as fast as it comes */
  readonly reading?: ReadAllowances;
  /** @defaultValue to any host, through the proxy of the environment if it names one */
  readonly dial?: Dial;
}

/** Why a connection ended. */
export type SocketEnd =
  /** The handshake got another status than 101. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined }
  /** The service sent frames that are not valid, or too long. */
  | { readonly kind: 'malformed'; readonly cause: Error }
  /** A ping was not answered. */
  | { readonly kind: 'silent' }
  /** @see RFC 6455, section 7.4. */
  | { readonly kind: 'closed'; readonly code: number }
  /** The connection could not be made, or was lost. */
  | { readonly kind: 'failed'; readonly cause: Error };

export interface ServiceSocketHandlers {
  opened(): void;
  message(data: Buffer, isBinary: boolean): void;
  /** Called once, unless `end` or `close` came before. */
  ended(end: SocketEnd): void;
}

const LATE: SocketEnd = { kind: 'failed', cause: new Error('Opening handshake has timed out') };

/** A WebSocket to a speech service, with limits and pings. */
export class ServiceSocket {
  readonly #options: ServiceSocketOptions;
  readonly #handlers: ServiceSocketHandlers;
  #socket: WebSocket | null = null;
  #life: 'connecting' | 'open' | 'over' = 'connecting';
  #answer: 'came' | 'awaited' = 'came';
  readonly #pace: ReadRateLimit | null;
  /** Of the handshake, then of the next ping. */
  #timer: unknown;

  constructor(url: URL, options: ServiceSocketOptions, handlers: ServiceSocketHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#pace = options.reading === undefined ? null : new ReadRateLimit(options.reading, options.timers);
    // That of the library begins anew with each byte that comes.
    this.#timer = options.timers.setTimeout(() => this.#ended(LATE), options.handshakeMs);
    if (options.dial === undefined) this.#open(url, { agent: outgoingSocketAgent(url) });
    else this.#dial(url, options.dial);
  }

  /** Bytes that wait to be sent. */
  get unsentBytes(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  /** Dropped unless the socket is open. */
  send(message: string | Uint8Array): void {
    // An error of the socket is reported by its event.
    if (this.#life === 'open') this.#socket?.send(message, () => {});
  }

  /** Cuts the connection. */
  end(): void {
    this.#over();
    this.#socket?.terminate();
  }

  /** Ends with a close handshake. @param withinMs after which the connection is cut. */
  close(withinMs: number): void {
    if (this.#life === 'over') return;
    const { timers } = this.#options;
    this.#over();
    const socket = this.#socket;
    socket?.close();
    const cut = timers.setTimeout(() => socket?.terminate(), withinMs);
    socket?.once('close', () => timers.clearTimeout(cut));
  }

  #dial(url: URL, dial: Dial): void {
    dial(url).then(
      (stream) => {
        // An error that nobody hears would end the process.
        stream.on('error', () => {});
        if (this.#life === 'over') stream.destroy();
        else this.#open(url, { createConnection: () => stream as Socket });
      },
      (error: unknown) => this.#ended({ kind: 'failed', cause: error instanceof Error ? error : new Error() }),
    );
  }

  #open(url: URL, way: Pick<ClientOptions, 'agent' | 'createConnection'>): void {
    const { headers, longestMessageBytes } = this.#options;
    const socket = new WebSocket(url, {
      ...way,
      headers: { ...headers },
      maxPayload: longestMessageBytes,
      // A compressed message would be unpacked before its size is known, and audio does not shrink.
      perMessageDeflate: false,
      followRedirects: false,
      // One message at a time: 64 KiB of the shortest ones took the thread for 100 ms and more.
      allowSynchronousEvents: false,
    });
    this.#socket = socket;
    socket.on('open', () => this.#opened());
    socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    socket.on('pong', () => (this.#answer = 'came'));
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      const retryAfter = response.headers['retry-after'];
      this.#ended({ kind: 'refused', status: response.statusCode ?? 500, retryAfter });
    });
    socket.on('error', (error) => this.#ended({ kind: isOfFrames(error) ? 'malformed' : 'failed', cause: error }));
    socket.on('close', (code) => this.#ended({ kind: 'closed', code }));
  }

  #opened(): void {
    if (this.#life !== 'connecting') return;
    this.#life = 'open';
    this.#options.timers.clearTimeout(this.#timer);
    this.#pingLater();
    this.#handlers.opened();
  }

  #received(data: RawData, isBinary: boolean): void {
    if (this.#life !== 'open') return;
    this.#answer = 'came';
    this.#pace?.note(this.#socket!, (data as Buffer).length);
    this.#handlers.message(data as Buffer, isBinary);
  }

  #pingLater(): void {
    const { pingEveryMs, timers } = this.#options;
    this.#timer = timers.setTimeout(() => {
      if (this.#answer === 'awaited') return this.#ended({ kind: 'silent' });
      this.#answer = 'awaited';
      this.#socket?.ping();
      this.#pingLater();
    }, pingEveryMs);
  }

  #ended(end: SocketEnd): void {
    if (this.#life === 'over') return;
    this.end();
    this.#handlers.ended(end);
  }

  #over(): void {
    this.#life = 'over';
    this.#pace?.end();
    this.#options.timers.clearTimeout(this.#timer);
  }
}

function isOfFrames(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('WS_ERR');
}
