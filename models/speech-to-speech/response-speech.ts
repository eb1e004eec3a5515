import { letters } from './conversation-items.ts';
import { SpeechSamples } from './speech-samples.ts';

/** Rate of the model's audio, Hz. */
export const SPEECH_RATE = 24_000;
const SAMPLES_PER_MS = SPEECH_RATE / 1000;
/** So many letters of a text tell whether it is of an answer. */
const TELLING_LETTERS = 24;
/** Silence at the end of an answer that nobody misses. */
const TAIL_MS = 500;
/** Longest answer, ms. A model's own limit is far below. */
const MAX_MS = 10 * 60_000;

/** What is said of an answer in one go. `toMs` grows while it arrives. */
export interface SpokenPart {
  readonly fromMs: number;
  toMs: number;
}

/** One answer of the model: its sound, and its transcript, which comes beside it without times. */
export class ResponseSpeech {
  readonly #samples = new SpeechSamples();
  #text = '';
  #state: 'arriving' | 'complete' | 'closed' = 'arriving';
  /** What is given out already. */
  #saidSamples = 0;
  #changed = Promise.withResolvers<void>();
  /** How much of it was heard, ms. */
  heardMs = 0;
  /** `cut`: it was stopped, and nothing more of it has been said since. */
  fate: 'spoken' | 'cut' | 'settled' = 'spoken';

  get durationMs(): number {
    return this.#samples.length / SAMPLES_PER_MS;
  }

  /** The transcript so far. */
  get text(): string {
    return this.#text;
  }

  /** Whether any of it was said. */
  get isBegun(): boolean {
    return this.#saidSamples > 0 || this.heardMs > 0;
  }

  /** Whether some of it is still to be said. */
  get isUnsaid(): boolean {
    if (this.fate === 'settled' || this.#state === 'closed') return false;
    return this.#state === 'arriving' || this.#saidSamples < this.#samples.length;
  }

  /** Whether some of it is still to be heard, as far as is known. */
  get isUnheard(): boolean {
    return this.fate !== 'settled' && (this.#state === 'arriving' || this.heardMs < this.durationMs - TAIL_MS);
  }

  addText(text: string): void {
    this.#text += text;
    this.#wake();
  }

  /** @throws RangeError when the answer is too long. */
  addAudio(pcm: Int16Array): void {
    if (this.durationMs > MAX_MS) throw new RangeError('The answer is longer than 10 minutes.');
    this.#samples.push(pcm);
    this.#wake();
  }

  /** No more comes. */
  complete(): void {
    if (this.#state === 'arriving') this.#state = 'complete';
    this.#wake();
  }

  /** Whether these words are in it. */
  has(text: string): boolean {
    const wanted = letters(text).slice(0, TELLING_LETTERS);
    return wanted === '' || letters(this.#text).includes(wanted);
  }

  /** @returns where these words begin in the transcript, UTF-16 units; 0 if that is not known. */
  placeOf(text: string): number {
    const wanted = letters(text).slice(0, TELLING_LETTERS);
    if (wanted === '') return 0;
    // As long as letters have marks between them.
    const reach = TELLING_LETTERS * 4;
    const starts = [...this.#text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index);
    return starts.find((at) => letters(this.#text.slice(at, at + reach)).startsWith(wanted)) ?? 0;
  }

  /**
   * Yields the sound that was not said yet, as it arrives, and nothing of it where only words are new.
   * @param part is told where it is.
   */
  async *say(signal: AbortSignal, part: (part: SpokenPart) => void): AsyncGenerator<Int16Array> {
    const fromMs = this.#saidSamples / SAMPLES_PER_MS;
    const spoken: SpokenPart = { fromMs, toMs: fromMs };
    this.fate = 'spoken';
    part(spoken);
    while (!signal.aborted) {
      const isLast = this.#state !== 'arriving';
      const pcm = this.#samples.read(this.#saidSamples, this.#samples.length);
      const changed = this.#changed.promise;
      this.#saidSamples = this.#samples.length;
      spoken.toMs = this.durationMs;
      yield pcm;
      if (isLast) return;
      await this.#until(changed, signal);
    }
  }

  /** Only this much was heard. What comes after it can be said again. */
  rewind(ms: number): void {
    this.heardMs = Math.max(0, Math.min(ms, this.durationMs));
    this.#saidSamples = Math.round(this.heardMs * SAMPLES_PER_MS);
    this.fate = 'cut';
  }

  close(): void {
    this.#state = 'closed';
    this.#samples.clear();
    this.#wake();
  }

  #until(changed: Promise<void>, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const leave = (): void => aborted.resolve();
    signal.addEventListener('abort', leave, { once: true });
    return Promise.race([changed, aborted.promise]).finally(() => signal.removeEventListener('abort', leave));
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
