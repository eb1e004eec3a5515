import type { Logger } from '../../runtime/log.ts';
import type { AudioPacket } from '../media/media-types.ts';
import type { AudioInHandlers, AudioInStream } from '../ports.ts';
import type { AudioInEvent, ToAudioIn } from './messages.ts';

/** RTP packets are smaller on every usual network (MTU). */
const MAX_PAYLOAD_BYTES = 1_500;

/** The way to the worker. */
export interface AudioInLink {
  /** A packet may wait for others. What is sent after it comes after it. */
  packet(session: number, packet: AudioPacket): void;
  send(message: ToAudioIn): void;
}

interface SessionSettings {
  language: string | null;
  readonly keyTerms: readonly string[];
  readonly preferred: string | null;
  enhancementLevel: number;
}

/** The main thread's side of one session. If the worker dies, it gives the settings of the session to the next one. */
export class SessionAudioInStream implements AudioInStream {
  readonly #session: number;
  readonly #settings: SessionSettings;
  readonly #handlers: AudioInHandlers;
  readonly #log: Logger;
  readonly #closed: () => void;
  /** Null: no worker runs. */
  #link: AudioInLink | null = null;
  #life: 'open' | 'closed' = 'open';
  #awaitedFinals = 0;
  #partial = '';
  #enhancement: 'working' | 'reported missing' = 'working';
  /** The last language that was reported as missing. A new worker reports it again, and it is passed on once. */
  #missingLanguage: string | null = null;

  /** @param closed called once, when the session is closed. */
  constructor(session: number, settings: SessionSettings, handlers: AudioInHandlers, log: Logger, closed: () => void) {
    this.#session = session;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#log = log;
    this.#closed = closed;
  }

  attach(link: AudioInLink): void {
    this.#link = link;
    link.send({
      type: 'open',
      session: this.#session,
      ...this.#settings,
      wantsAudio: this.#handlers.audio !== undefined,
    });
  }

  packet(packet: AudioPacket): void {
    if (packet.payload.length === 0 || packet.payload.length > MAX_PAYLOAD_BYTES || this.#link === null) return;
    this.#link.packet(this.#session, packet);
  }

  finish(): void {
    if (this.#life === 'closed') return;
    this.#awaitedFinals++;
    if (this.#link === null) setImmediate(() => this.#answerFinals());
    else this.#link.send({ type: 'finish', session: this.#session });
  }

  reset(): void {
    this.#partial = '';
    this.#link?.send({ type: 'reset', session: this.#session });
  }

  askEndOfTurn(): void {
    this.#link?.send({ type: 'askEndOfTurn', session: this.#session });
  }

  configure(options: { language?: string | null; enhancementLevel?: number }): void {
    Object.assign(this.#settings, options);
    if (options.language !== undefined) this.#missingLanguage = null;
    this.#link?.send({ type: 'configure', session: this.#session, ...options });
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#link?.send({ type: 'close', session: this.#session });
    this.#link = null;
    this.#closed();
  }

  receive(event: AudioInEvent): void {
    if (this.#life === 'closed') return;
    if (event.type === 'enhancementUnavailable') {
      if (this.#enhancement === 'reported missing') return;
      this.#enhancement = 'reported missing';
    }
    if (event.type === 'languageUnavailable') {
      // The language may have been changed since.
      if (this.#missingLanguage === event.language || this.#settings.language !== event.language) return;
      this.#missingLanguage = event.language;
    }
    if (event.type === 'partial') this.#partial = event.text;
    if (event.type === 'final') {
      this.#partial = '';
      this.#awaitedFinals--;
    }
    this.#call(() => deliver(this.#handlers, event));
  }

  /** The worker died. Each awaited final gets the words so far. `attach` is called again for the next worker. */
  interrupted(): void {
    if (this.#life === 'closed') return;
    this.#link = null;
    this.#answerFinals();
    this.#call(() => this.#handlers.failed('Audio-in was interrupted.'));
  }

  #answerFinals(): void {
    while (this.#awaitedFinals > 0 && this.#life === 'open') {
      this.#awaitedFinals--;
      const text = this.#partial;
      this.#partial = '';
      this.#call(() => this.#handlers.final(text, null));
    }
  }

  /** An error in one session's handler must not stop the others. */
  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#log.error({ err: error }, 'A session failed to take what was heard.');
    }
  }
}

function deliver(handlers: AudioInHandlers, event: AudioInEvent): void {
  switch (event.type) {
    case 'window':
      return handlers.window(event);
    case 'partial':
      return handlers.partial(event.text);
    case 'final':
      return handlers.final(event.text, event.language, event.confidence);
    case 'used':
      return handlers.used?.(event.use);
    case 'endOfTurn':
      return handlers.endOfTurn(event.probability);
    case 'failed':
      return handlers.failed(event.message);
    case 'enhancementUnavailable':
      return handlers.enhancementUnavailable();
    case 'languageUnavailable':
      return handlers.languageUnavailable(event.language);
    case 'audio':
      return handlers.audio?.(event.pcm, event.at);
  }
}
