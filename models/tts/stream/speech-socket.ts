import { systemTimers } from '../../../runtime/clock.ts';
import { retryAfterMs } from '../../http/retry-after.ts';
import { AnswerMeter, type AnswerLimits, type SizeLimits } from '../../http/answer-limits.ts';
import { ServiceSocket, type SocketEnd } from '../../http/service-socket.ts';
import type { ProviderError, SynthesisRequest } from '../../ports.ts';
import { codeOfStatus, speechError } from '../speech-http.ts';
import type { SpeechEvent, SpeechProtocol } from './speech-protocol.ts';
import { Utterance } from './utterance.ts';

const CONNECT_TIMEOUT_MS = 4_000;
/** Proxies and home routers drop connections that are idle for 30 to 60 s. */
const PING_EVERY_MS = 20_000;
const MINUTE_MS = 60_000;
/** If a cancelled utterance does not end by then, the connection is not used for further ones. */
const CANCEL_TIMEOUT_MS = 10_000;
/** A service that does not stream sends up to two minutes of audio as one piece of JSON. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** What belongs to no sentence: greetings, statistics, texts of errors. More of it is a flood. */
const FOREIGN: SizeLimits = { bodyBytes: 1024 * 1024, unit: null };

/** A connection that was cut sooner is not replaced before it is needed. */
const MIN_LIFE_MS = 5_000;

/** The service has no WebSocket at this address: it answered the handshake with another status. */
export class NoSocketError extends Error {}

/** One connection to a speech service, and its present utterances. */
export class SpeechSocket {
  readonly #protocol: SpeechProtocol;
  readonly #socket: ServiceSocket;
  readonly #onClose: (socket: SpeechSocket) => void;
  readonly #opened = Promise.withResolvers<void>();
  readonly #utterances = new Map<string, Utterance>();
  readonly #beganAt: number[] = [];
  #foreign = new AnswerMeter(FOREIGN);
  #names = 0;
  #state: 'usable' | 'retired' | 'closed' = 'usable';
  #openedAt: number | null = null;
  #endedBy: 'us' | 'them' = 'them';

  /** @param onClose called once, when the connection has ended. */
  constructor(protocol: SpeechProtocol, address: URL, onClose: (socket: SpeechSocket) => void) {
    this.#protocol = protocol;
    this.#onClose = onClose;
    this.#opened.promise.catch(() => {});
    const limits = {
      handshakeMs: CONNECT_TIMEOUT_MS,
      pingEveryMs: PING_EVERY_MS,
      longestMessageBytes: MAX_MESSAGE_BYTES,
    };
    this.#socket = new ServiceSocket(
      address,
      { headers: protocol.headers, timers: systemTimers, ...limits },
      {
        opened: () => {
          this.#openedAt = performance.now();
          this.#opened.resolve();
        },
        message: (data, isBinary) => this.#received(data, isBinary),
        ended: (end) => this.#lost(end),
      },
    );
  }

  /** Whether it can take an utterance now. */
  get hasRoom(): boolean {
    const { mostAtOnce, mostPerMinute = Number.POSITIVE_INFINITY } = this.#protocol;
    const recent = this.#beganAt.filter((at) => at > performance.now() - MINUTE_MS);
    return this.#state === 'usable' && this.#utterances.size < mostAtOnce && recent.length < mostPerMinute;
  }

  get isIdle(): boolean {
    return this.#utterances.size === 0;
  }

  /** Whether it was ever open. */
  get hasOpened(): boolean {
    return this.#openedAt !== null;
  }

  /** Whether it was in use for a while, and then ended by the service or the network. */
  get wasCut(): boolean {
    const lived = this.#openedAt === null ? 0 : performance.now() - this.#openedAt;
    return this.#endedBy === 'them' && lived > MIN_LIFE_MS;
  }

  /** Requests an utterance as soon as the connection is open. It must have room. */
  speak(request: SynthesisRequest, limits: AnswerLimits): Utterance {
    const { provider } = this.#protocol;
    const utterance = new Utterance(`u${++this.#names}`, provider, limits, {
      abandoned: (left) => this.#cancel(left),
      silent: () => this.retire(),
    });
    this.#utterances.set(utterance.name, utterance);
    this.#foreign = new AnswerMeter(FOREIGN);
    this.#beganAt.push(performance.now());
    if (this.#beganAt.length > (this.#protocol.mostPerMinute ?? 0)) this.#beganAt.shift();
    this.#opened.promise.then(
      () => {
        if (utterance.isOver) this.#free(utterance);
        else this.#send(this.#protocol.ask(utterance.name, request));
      },
      () => {},
    );
    return utterance;
  }

  /** @throws NoSocketError when the service has no WebSocket at this address. */
  async opened(): Promise<void> {
    await this.#opened.promise;
  }

  /** Takes no more utterances, and closes after the last one. */
  retire(): void {
    if (this.#state !== 'usable') return;
    this.#state = 'retired';
    if (this.isIdle || [...this.#utterances.values()].every(({ isOver }) => isOver)) this.close();
  }

  close(): void {
    if (this.#state !== 'closed') this.#endedBy = 'us';
    this.#end(speechError(this.#protocol.provider, 'connect'));
  }

  #lost(end: SocketEnd): void {
    const { provider } = this.#protocol;
    switch (end.kind) {
      case 'refused': {
        const code = codeOfStatus(end.status);
        const error = speechError(provider, code, undefined, retryAfterMs(end.retryAfter, Date.now()));
        return this.#end(error, code === 'bad-request' ? new NoSocketError() : undefined);
      }
      case 'malformed':
        return this.#end(speechError(provider, 'bad-response', end.cause));
      case 'silent':
        return this.#end(speechError(provider, 'connect'));
      case 'closed':
        return this.#end(speechError(provider, codeOfClose(end.code)));
      case 'failed':
        return this.#end(speechError(provider, 'connect', end.cause));
    }
  }

  #received(bytes: Buffer, isBinary: boolean): void {
    try {
      const read = this.#protocol.read(isBinary ? { bytes } : { json: JSON.parse(bytes.toString()) });
      if (read === null) return this.#foreign.received(bytes.length);
      const { utterance: name, event } = read;
      if (name === null && event.type === 'failed') return this.#end(speechError(this.#protocol.provider, event.code));
      const [only] = this.#utterances.values();
      const utterance = name === null ? only : this.#utterances.get(name);
      // It may be of an utterance that was just cancelled.
      if (utterance === undefined) return;
      this.#handle(utterance, event, bytes.length);
    } catch (error) {
      // Later messages cannot be trusted.
      this.#end(speechError(this.#protocol.provider, 'bad-response', error));
    }
  }

  #handle(utterance: Utterance, event: SpeechEvent, bytes: number): void {
    switch (event.type) {
      case 'speech':
        return utterance.take(event.speech, bytes);
      case 'end':
        if (utterance.isOver && this.#protocol.freedAfterCancel === 'cancelled') return;
        utterance.end();
        return this.#free(utterance);
      case 'cancelled':
        return this.#free(utterance);
      case 'failed':
        utterance.fail(speechError(this.#protocol.provider, event.code));
        return this.#free(utterance);
    }
  }

  #cancel(utterance: Utterance): void {
    if (!this.#utterances.has(utterance.name) || !this.hasOpened || this.#state === 'closed') return;
    this.#send(this.#protocol.cancel(utterance.name));
    if (this.#protocol.freedAfterCancel === 'at once') return this.#free(utterance);
    setTimeout(() => {
      if (this.#utterances.get(utterance.name) === utterance) this.retire();
    }, CANCEL_TIMEOUT_MS).unref();
  }

  #free(utterance: Utterance): void {
    this.#utterances.delete(utterance.name);
    if (this.#state === 'retired' && this.isIdle) this.close();
  }

  #send(messages: readonly unknown[]): void {
    for (const message of messages) this.#socket.send(JSON.stringify(message));
  }

  /** @param handshake the error of the handshake, if it never opened. */
  #end(error: ProviderError, handshake: Error = error): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#opened.reject(handshake);
    const left = [...this.#utterances.values()];
    this.#utterances.clear();
    for (const utterance of left) utterance.fail(error);
    this.#socket.end();
    this.#onClose(this);
  }
}

/** RFC 6455, section 7.4. */
function codeOfClose(code: number): ProviderError['code'] {
  if (code === 1011 || code === 1012 || code === 1013) return 'server';
  return code === 1009 || code === 1003 || code === 1007 ? 'bad-request' : 'connect';
}
