import type { Timers } from '../../../runtime/clock.ts';
import type { PendingUtterance } from '../pending-utterance.ts';
import type { ConnectionEnd } from './connection-error.ts';
import type { Expected, Outgoing, ProtocolConnection, StreamingProtocol } from './protocol.ts';
import { StreamingSocket } from './streaming-socket.ts';

export interface LinkHandlers {
  opened(): void;
  partial(utterance: PendingUtterance, text: string): void;
  final(utterance: PendingUtterance, text: string, language: string | null, confidence?: number): void;
  endOfTurn(utterance: PendingUtterance, probability: number): void;
  /** Called once, unless `close` came before. */
  ended(end: ConnectionEnd): void;
}

/** One connection to a service, and the utterances that were sent to it. */
export class StreamingLink {
  readonly expected: Expected;
  readonly #protocol: StreamingProtocol;
  readonly #handlers: LinkHandlers;
  readonly #timers: Timers;
  readonly #connection: ProtocolConnection;
  readonly #socket: StreamingSocket;
  /** In the order in which they were sent. */
  readonly #sent: PendingUtterance[] = [];
  /** Utterances with a final: further results of them are ignored. */
  readonly #answered = new Set<number>();
  #rest = new Int16Array(0);
  #current: PendingUtterance | null = null;
  #state: 'connecting' | 'open' | 'over' = 'connecting';
  #quiet: 'since the last look' | 'not' = 'since the last look';
  #keepAlive: unknown = null;

  constructor(protocol: StreamingProtocol, expected: Expected, handlers: LinkHandlers, timers: Timers) {
    this.expected = expected;
    this.#protocol = protocol;
    this.#handlers = handlers;
    this.#timers = timers;
    const told = (index: number, tell: (utterance: PendingUtterance) => void): void => {
      const utterance = this.#sent[index];
      if (utterance !== undefined && !this.#answered.has(index)) tell(utterance);
    };
    this.#connection = protocol.connect(expected, {
      partial: (index, text) => told(index, (utterance) => handlers.partial(utterance, text)),
      final: (index, text, language, confidence) =>
        told(index, (utterance) => {
          this.#answered.add(index);
          handlers.final(utterance, text, language, confidence);
        }),
      endOfTurn: (index, probability) => told(index, (utterance) => handlers.endOfTurn(utterance, probability)),
      failed: (error, next) => this.#end({ error, next }),
    });
    this.#socket = new StreamingSocket(
      protocol.name,
      protocol.request(expected),
      {
        opened: () => this.#opened(),
        message: (message) => this.#connection.receive(message),
        ended: (end) => this.#end(end),
      },
      timers,
      (code) => protocol.closeError?.(code) ?? null,
    );
  }

  get open(): boolean {
    return this.#state === 'open';
  }

  /** Sends audio of an utterance. The one before must be finished. */
  write(utterance: PendingUtterance, pcm: Int16Array): void {
    this.#begin(utterance);
    const all = new Int16Array(this.#rest.length + pcm.length);
    all.set(this.#rest);
    all.set(pcm, this.#rest.length);
    const { pieceSamples } = this.#protocol;
    let at = 0;
    for (; at + pieceSamples <= all.length; at += pieceSamples) this.#audio(all.slice(at, at + pieceSamples));
    this.#rest = all.slice(at);
  }

  finish(utterance: PendingUtterance): void {
    this.#begin(utterance);
    if (this.#rest.length > 0) {
      const last = new Int16Array(this.#protocol.pieceSamples);
      last.set(this.#rest);
      this.#rest = new Int16Array(0);
      this.#audio(last);
    }
    this.#current = null;
    this.#send(this.#connection.finish());
  }

  close(): void {
    if (this.#state === 'over') return;
    this.#over();
    this.#socket.close(this.#connection.closing());
  }

  #opened(): void {
    if (this.#state === 'over') return;
    this.#state = 'open';
    this.#socket.send(this.#connection.opened());
    this.#keepAliveLater();
    this.#handlers.opened();
  }

  #begin(utterance: PendingUtterance): void {
    if (this.#current === utterance) return;
    this.#current = utterance;
    this.#sent.push(utterance);
    this.#socket.newUtterance();
  }

  #audio(pcm: Int16Array): void {
    this.#send(this.#connection.audio(pcm));
  }

  #send(messages: readonly Outgoing[]): void {
    this.#quiet = 'not';
    this.#socket.send(messages);
  }

  #keepAliveLater(): void {
    const { keepAliveEveryMs } = this.#protocol;
    if (keepAliveEveryMs === null) return;
    this.#keepAlive = this.#timers.setTimeout(() => {
      if (this.#quiet !== 'not') this.#socket.send(this.#connection.keepAlive());
      this.#quiet = 'since the last look';
      this.#keepAliveLater();
    }, keepAliveEveryMs);
  }

  #end(end: ConnectionEnd): void {
    if (this.#state === 'over') return;
    this.#over();
    this.#socket.close([]);
    this.#handlers.ended(end);
  }

  #over(): void {
    this.#state = 'over';
    if (this.#keepAlive !== null) this.#timers.clearTimeout(this.#keepAlive);
  }
}
