import type { Timers } from '../../../runtime/clock.ts';
import { AnswerLimitError, AnswerMeter, type SizeLimits } from '../../http/answer-limits.ts';
import { ServiceSocket, type SocketEnd } from '../../http/service-socket.ts';
import { broken, closedEarly, refused, silent, unreadable, type ConnectionEnd } from './connection-error.ts';
import type { Outgoing } from './protocol.ts';

/** A longer handshake is of no use in a conversation. */
const HANDSHAKE_MS = 5_000;
/** Time between pings. If one is not answered until the next, the connection is lost. */
const PING_EVERY_MS = 5_000;
/** Time for the close handshake, after which the socket is destroyed. */
const GOODBYE_MS = 1_000;
/** Half a minute of audio that is not sent: the network is stuck. */
const MAX_UNSENT_BYTES = 1024 * 1024;
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

/** A connection to a service, with limits for each utterance. It ends exactly once. */
export class StreamingSocket {
  readonly #provider: string;
  readonly #handlers: SocketHandlers;
  readonly #closeError: (code: number) => ConnectionEnd | null;
  readonly #socket: ServiceSocket;
  #meter = new AnswerMeter(LIMITS);
  #life: 'open' | 'over' = 'open';

  constructor(
    provider: string,
    { url, headers }: { readonly url: URL; readonly headers: Readonly<Record<string, string>> },
    handlers: SocketHandlers,
    timers: Timers,
    closeError: (code: number) => ConnectionEnd | null,
  ) {
    this.#provider = provider;
    this.#handlers = handlers;
    this.#closeError = closeError;
    const limits = {
      handshakeMs: HANDSHAKE_MS,
      pingEveryMs: PING_EVERY_MS,
      longestMessageBytes: LIMITS.unit!.bytes,
    };
    this.#socket = new ServiceSocket(
      url,
      { headers, timers, ...limits },
      {
        opened: () => handlers.opened(),
        message: (data, isBinary) => this.#received(data, isBinary),
        ended: (end) => this.#end(this.#endOf(end)),
      },
    );
  }

  /** Messages are dropped unless the socket is open. */
  send(messages: readonly Outgoing[]): void {
    if (this.#life === 'over') return;
    for (const message of messages) this.#socket.send(message);
    if (this.#socket.unsentBytes > MAX_UNSENT_BYTES) this.#end(silent(this.#provider));
  }

  /** Counts the bytes of messages from zero. */
  newUtterance(): void {
    this.#meter = new AnswerMeter(LIMITS);
  }

  /** @param goodbye messages to send before. */
  close(goodbye: readonly Outgoing[]): void {
    if (this.#life === 'over') return;
    this.send(goodbye);
    this.#life = 'over';
    this.#socket.close(GOODBYE_MS);
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (this.#life === 'over') return;
    try {
      const text = data.toString('utf8');
      this.#meter.received(Buffer.byteLength(text));
      if (isBinary) throw new Error('The message is not text.');
      this.#handlers.message(JSON.parse(text));
    } catch (error) {
      const exceeded = AnswerLimitError.in(error);
      this.#end(
        exceeded === null
          ? unreadable(this.#provider, error)
          : { error: exceeded.asProviderError(this.#provider, 'The recognition service'), next: 'retry' },
      );
    }
  }

  #endOf(end: SocketEnd): ConnectionEnd {
    switch (end.kind) {
      case 'refused':
        return refused(this.#provider, end.status, end.retryAfter);
      case 'malformed':
        return unreadable(this.#provider, end.cause);
      case 'silent':
        return silent(this.#provider);
      case 'closed':
        return this.#closeError(end.code) ?? closedEarly(this.#provider);
      case 'failed':
        return broken(this.#provider, end.cause);
    }
  }

  #end(end: ConnectionEnd): void {
    if (this.#life === 'over') return;
    this.#life = 'over';
    this.#socket.end();
    this.#handlers.ended(end);
  }
}
