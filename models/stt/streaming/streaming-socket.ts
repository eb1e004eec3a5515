import { WebSocket, type RawData } from 'ws';
import type { Timers } from '../../../runtime/clock.ts';
import { AnswerLimitError, AnswerMeter, type SizeLimits } from '../../http/answer-limits.ts';
import { broken, closedEarly, refused, silent, unreadable, type ConnectionEnd } from './connection-error.ts';
import type { Outgoing } from './protocol.ts';

/** A longer handshake is of no use in a conversation. */
const HANDSHAKE_MS = 5_000;
/** Time between pings. If one is not answered until the next, the connection is lost. */
const PING_EVERY_MS = 5_000;
/** Time for the close handshake, after which the socket is destroyed. */
const GOODBYE_MS = 1_000;
/** Half a minute of audio that is not sent: the network is stuck. */
const MOST_UNSENT_BYTES = 1024 * 1024;
/**
 * A message has at most the words of a minute with their times, about 20 KB. All messages of an utterance count
 * together.
 */
const LIMITS: SizeLimits = { bodyBytes: 16 * 1024 * 1024, unit: { kind: 'message', bytes: 256 * 1024 } };

export interface SocketHandlers {
  opened(): void;
  /** @param message parsed JSON. If this throws, the connection ends as unreadable. */
  message(message: unknown): void;
  /** Called once, unless `close` came before. */
  ended(end: ConnectionEnd): void;
}

/** A WebSocket to a service, with limits and pings. It ends exactly once. */
export class StreamingSocket {
  readonly #provider: string;
  readonly #handlers: SocketHandlers;
  readonly #timers: Timers;
  readonly #closeError: (code: number) => ConnectionEnd | null;
  readonly #socket: WebSocket;
  #meter = new AnswerMeter(LIMITS);
  #life: 'connecting' | 'open' | 'over' = 'connecting';
  #answer: 'heard' | 'awaited' = 'heard';
  #ping: unknown = null;

  constructor(
    provider: string,
    { url, headers }: { readonly url: URL; readonly headers: Readonly<Record<string, string>> },
    handlers: SocketHandlers,
    timers: Timers,
    closeError: (code: number) => ConnectionEnd | null,
  ) {
    this.#provider = provider;
    this.#handlers = handlers;
    this.#timers = timers;
    this.#closeError = closeError;
    this.#socket = new WebSocket(url, {
      headers: { ...headers },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: LIMITS.unit!.bytes,
      // A compressed message would be unpacked before its size is known.
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket.on('open', () => this.#opened());
    this.#socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    this.#socket.on('pong', () => (this.#answer = 'heard'));
    this.#socket.on('unexpected-response', (request, response) => {
      const { statusCode, headers: answered } = response;
      request.destroy();
      this.#end(refused(provider, statusCode ?? 0, answered['retry-after']));
    });
    this.#socket.on('error', (error) => this.#end(this.#endOf(error)));
    this.#socket.on('close', (code) => this.#end(this.#closeError(code) ?? closedEarly(provider)));
  }

  /** Messages are dropped unless the socket is open. */
  send(messages: readonly Outgoing[]): void {
    if (this.#life !== 'open') return;
    for (const message of messages) this.#socket.send(message);
    if (this.#socket.bufferedAmount > MOST_UNSENT_BYTES) this.#end(silent(this.#provider));
  }

  /** Counts the bytes of messages from zero. */
  newUtterance(): void {
    this.#meter = new AnswerMeter(LIMITS);
  }

  /** @param goodbye messages to send before. */
  close(goodbye: readonly Outgoing[]): void {
    if (this.#life === 'over') return;
    this.send(goodbye);
    this.#over();
    this.#socket.close();
    const cut = this.#timers.setTimeout(() => this.#socket.terminate(), GOODBYE_MS);
    this.#socket.once('close', () => this.#timers.clearTimeout(cut));
  }

  #opened(): void {
    if (this.#life !== 'connecting') return;
    this.#life = 'open';
    this.#pingLater();
    this.#handlers.opened();
  }

  #received(data: RawData, isBinary: boolean): void {
    if (this.#life !== 'open') return;
    this.#answer = 'heard';
    try {
      const text = (data as Buffer).toString('utf8');
      this.#meter.received(Buffer.byteLength(text));
      if (isBinary) throw new Error('The message is not text.');
      this.#handlers.message(JSON.parse(text));
    } catch (error) {
      this.#end(this.#endOf(error));
    }
  }

  #endOf(error: unknown): ConnectionEnd {
    const exceeded = AnswerLimitError.in(error);
    if (exceeded !== null)
      return { error: exceeded.asProviderError(this.#provider, 'The recognition service'), next: 'retry' };
    const isOfFrames = error instanceof Error && 'code' in error && String(error.code).startsWith('WS_ERR');
    if (this.#life === 'open' && (isOfFrames || !(error instanceof Error && 'code' in error)))
      return unreadable(this.#provider, error);
    return broken(this.#provider, error as Error);
  }

  #pingLater(): void {
    this.#ping = this.#timers.setTimeout(() => {
      if (this.#answer === 'awaited') return this.#end(silent(this.#provider));
      this.#answer = 'awaited';
      this.#socket.ping();
      this.#pingLater();
    }, PING_EVERY_MS);
  }

  #end(end: ConnectionEnd): void {
    if (this.#life === 'over') return;
    this.#over();
    this.#socket.terminate();
    this.#handlers.ended(end);
  }

  #over(): void {
    this.#life = 'over';
    if (this.#ping !== null) this.#timers.clearTimeout(this.#ping);
  }
}
