import type { SpeechRecognizer } from '../../models/ports.ts';
import type { Logger } from '../../runtime/log.ts';
import type { AudioPacket } from '../media/media-types.ts';
import type { AudioInHandlers, AudioInStream } from '../ports.ts';
import type { AudioInReport, ToAudioIn, TranscriptSource } from './messages.ts';
import { MainThreadRecognition } from './stt/main-thread-recognition.ts';

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
  readonly words: TranscriptSource;
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
  /** Null: the worker's own recognizer hears. */
  readonly #elsewhere: MainThreadRecognition | null;
  #awaitedFinals = 0;
  #partial = '';
  #enhancement: 'working' | 'reported missing' = 'working';
  /** The last language that was reported as missing. A new worker reports it again, and it is passed on once. */
  #missingLanguage: string | null = null;

  /** @param recognizer who hears in place of the worker's; null: nobody. @param closed called once, when it is closed. */
  constructor(
    session: number,
    settings: SessionSettings,
    handlers: AudioInHandlers,
    recognizer: SpeechRecognizer | null,
    log: Logger,
    closed: () => void,
  ) {
    this.#session = session;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#elsewhere =
      recognizer === null ? null : new MainThreadRecognition(recognizer, settings, (event) => handlers.report(event));
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
    if (this.#elsewhere !== null) return this.#finishElsewhere(this.#elsewhere);
    this.#awaitedFinals++;
    if (this.#link === null) setImmediate(() => this.#answerFinals());
    else this.#link.send({ type: 'finish', session: this.#session });
  }

  #finishElsewhere(elsewhere: MainThreadRecognition): void {
    elsewhere.finishAsked();
    if (this.#link === null) setImmediate(() => elsewhere.interrupted());
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
    if (options.language !== undefined) {
      this.#missingLanguage = null;
      this.#elsewhere?.setLanguage(options.language);
    }
    this.#link?.send({ type: 'configure', session: this.#session, ...options });
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#elsewhere?.close();
    this.#link?.send({ type: 'close', session: this.#session });
    this.#link = null;
    this.#closed();
  }

  receive(heard: AudioInReport['heard']): void {
    if (this.#life === 'closed' || !this.#isNews(heard)) return;
    if (heard.type === 'stt.partial') this.#partial = heard.text;
    if (heard.type === 'stt.final') {
      this.#partial = '';
      this.#awaitedFinals--;
    }
    this.#call(() => this.#deliver(heard));
  }

  /** What is missing is reported once, and by each new worker again. */
  #isNews(heard: AudioInReport['heard']): boolean {
    if (heard.type === 'enhancement.unavailable') {
      if (this.#enhancement === 'reported missing') return false;
      this.#enhancement = 'reported missing';
    }
    if (heard.type === 'stt.languageUnavailable') {
      // The language may have been changed since.
      if (this.#missingLanguage === heard.language || this.#settings.language !== heard.language) return false;
      this.#missingLanguage = heard.language;
    }
    return true;
  }

  #deliver(heard: AudioInReport['heard']): void {
    if (heard.type === 'relayed') this.#elsewhere?.take(heard.call);
    else if (heard.type === 'audio') this.#handlers.audio?.(heard.pcm, heard.at);
    else this.#handlers.report(heard);
  }

  /** The worker died. Each awaited final gets the words so far. `attach` is called again for the next worker. */
  interrupted(): void {
    if (this.#life === 'closed') return;
    this.#link = null;
    this.#call(() => this.#elsewhere?.interrupted());
    this.#answerFinals();
    this.#call(() => this.#handlers.report({ type: 'stt.failed', message: 'Audio-in was interrupted.' }));
  }

  #answerFinals(): void {
    while (this.#awaitedFinals > 0 && this.#life === 'open') {
      this.#awaitedFinals--;
      const text = this.#partial;
      this.#partial = '';
      this.#call(() => this.#handlers.report({ type: 'stt.final', text, language: null }));
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
