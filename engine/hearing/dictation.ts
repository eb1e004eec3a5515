import type { RecognitionStream, SpeechRecognizer } from '../../models/ports.ts';

/** What one session hears of its recognition. */
export interface DictationHandlers {
  partial(text: string): void;
  /** Exactly one for each `finish()`, whatever happens to the recogniser. */
  final(text: string, language: string | null): void;
  /** Recognition is lost for good: several recognisers in a row died without a word. At most once. */
  failed(message: string): void;
}

export interface Timers {
  setTimeout(fn: () => void, timeoutMs: number): unknown;
  clearTimeout(id: unknown): void;
}

/** A final later than this is not waited for: the turn goes on with the words known so far. */
const FINAL_TIMEOUT_MS = 8_000;
/** This many streams lost in a row, without any result between them, are not a mishap. */
const MAX_LOSSES = 3;

/**
 * One session's utterances: sound in, words out. Recognisers come and go; the promise of one final for each `finish()`
 * stays. When a recogniser dies or hangs, the final is the last partial.
 */
export class Dictation {
  readonly #recognizer: SpeechRecognizer;
  readonly #handlers: DictationHandlers;
  readonly #timers: Timers;
  #language: string | null;
  #stream: RecognitionStream | null = null;
  /** Words of the current utterance so far; null while nothing of it was written. */
  #words: string | null = null;
  /** Utterances whose final is awaited, oldest first, with the words known when they were finished. */
  readonly #awaited: { words: string; timer: unknown }[] = [];
  #losses = 0;
  #life: 'open' | 'failed' | 'closed' = 'open';

  constructor(recognizer: SpeechRecognizer, language: string | null, handlers: DictationHandlers, timers: Timers) {
    this.#recognizer = recognizer;
    this.#language = language;
    this.#handlers = handlers;
    this.#timers = timers;
  }

  /** @param pcm 16 kHz mono. */
  write(pcm: Int16Array): void {
    if (this.#life !== 'open') return;
    this.#words ??= '';
    this.#stream ??= this.#open();
    this.#stream?.write(pcm);
  }

  finish(): void {
    if (this.#life === 'closed') return;
    const words = this.#words;
    this.#words = null;
    if (this.#stream === null || words === null) {
      // Finals come in the order of the finishes, so an empty one waits for those before it.
      if (this.#awaited.length === 0) return this.#handlers.final(words ?? '', this.#language);
    }
    const awaited = { words: words ?? '', timer: this.#timers.setTimeout(() => this.#lose(), FINAL_TIMEOUT_MS) };
    this.#awaited.push(awaited);
    this.#stream?.finish();
  }

  reset(): void {
    this.#words = null;
    this.#stream?.reset();
  }

  /** From the next utterance on. */
  setLanguage(language: string | null): void {
    this.#language = language;
    this.#stream?.setLanguage(language);
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    for (const { timer } of this.#awaited.splice(0)) this.#timers.clearTimeout(timer);
    this.#stream?.close();
    this.#stream = null;
  }

  #open(): RecognitionStream | null {
    try {
      const opened: RecognitionStream = this.#recognizer.open({
        language: this.#language,
        handlers: {
          partial: (text) => this.#stream === opened && this.#partial(text),
          final: (text, language) => this.#stream === opened && this.#final(text, language),
          failed: () => this.#stream === opened && this.#lose(),
        },
      });
      return opened;
    } catch {
      this.#lose();
      return null;
    }
  }

  #partial(text: string): void {
    this.#losses = 0;
    // Of an utterance that was finished or reset meanwhile.
    if (this.#words === null) return;
    this.#words = text;
    this.#handlers.partial(text);
  }

  #final(text: string, language: string | null): void {
    this.#losses = 0;
    const awaited = this.#awaited.shift();
    if (awaited === undefined) return;
    this.#timers.clearTimeout(awaited.timer);
    this.#handlers.final(text, language);
  }

  /** The stream died or hangs: what was asked of it is answered with what is known, the next sound opens another. */
  #lose(): void {
    const stream = this.#stream;
    this.#stream = null;
    stream?.close();
    this.#losses++;
    for (const { words, timer } of this.#awaited.splice(0)) {
      this.#timers.clearTimeout(timer);
      this.#handlers.final(words, this.#language);
    }
    if (this.#losses < MAX_LOSSES || this.#life !== 'open') return;
    this.#life = 'failed';
    this.#handlers.failed('Speech recognition is not available.');
  }
}
