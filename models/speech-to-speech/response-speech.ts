import { letters } from './conversation-items.ts';
import { SpeechSamples } from './speech-samples.ts';

/** Rate of the model's audio, Hz. */
export const SPEECH_RATE = 24_000;
const SAMPLES_PER_MS = SPEECH_RATE / 1000;
/** How long a letter is spoken, until the length of an answer is known: about 12 letters a second. */
const LETTER_MS = 82;
/** A sentence ends at the quietest place within so much of where it should end. */
const AROUND_END_MS = 400;
/** A sentence that stands further behind in the transcript than this is another one with the same letters. */
const FURTHEST_LETTERS = 600;
/** Silence at the end of an answer that no sentence may have. */
const TAIL_MS = 500;
/** Longest answer, ms. A model's own limit is far below. */
const LONGEST_MS = 10 * 60_000;

/** Which letters of the transcript a sentence has. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** A sentence of an answer, and where its sound is. `toMs` grows while it arrives. */
export interface SpokenPart {
  readonly fromMs: number;
  toMs: number;
  readonly fromLetters: number;
}

/**
 * One answer of the model: its transcript and its sound, which come side by side without times. The session says it sentence
 * by sentence: this finds the sound of each. No sound is lost or said twice, also where a boundary is a word off.
 */
export class ResponseSpeech {
  readonly #samples = new SpeechSamples();
  #letters = '';
  #state: 'arriving' | 'complete' | 'failed' = 'arriving';
  /** What is given out already. */
  #saidLetters = 0;
  #saidSamples = 0;
  #changed = Promise.withResolvers<void>();
  /** How much of it was heard, ms. */
  heardMs = 0;
  /** `cut`: it was stopped, and nothing more of it has been said since. */
  fate: 'spoken' | 'cut' | 'settled' = 'spoken';

  get durationMs(): number {
    return this.#samples.length / SAMPLES_PER_MS;
  }

  /** Whether any of it was said. */
  get isBegun(): boolean {
    return this.#saidSamples > 0 || this.heardMs > 0;
  }

  /** Whether some of it is still to be heard, as far as is known. */
  get isUnheard(): boolean {
    return this.fate !== 'settled' && (this.#state === 'arriving' || this.heardMs < this.durationMs - TAIL_MS);
  }

  addText(text: string): void {
    this.#letters += letters(text);
    this.#wake();
  }

  /** @throws RangeError when the answer is too long. */
  addAudio(pcm: Int16Array): void {
    if (this.durationMs > LONGEST_MS) throw new RangeError('The answer is longer than 10 minutes.');
    this.#samples.push(pcm);
    this.#wake();
  }

  /** No more comes. */
  complete(): void {
    if (this.#state === 'arriving') this.#state = 'complete';
    this.#wake();
  }

  /** Whether this sentence is what comes next in it. */
  has(text: string): boolean {
    return this.#placeOf(text) !== null;
  }

  /** Yields the sound of the next sentence as it arrives. @param text null: all of it. @param part is told where it is. */
  async *say(text: string | null, signal: AbortSignal, part: (part: SpokenPart) => void): AsyncGenerator<Int16Array> {
    const place = this.#next(text);
    const from = this.#saidSamples;
    const spoken: SpokenPart = { fromMs: from / SAMPLES_PER_MS, toMs: from / SAMPLES_PER_MS, fromLetters: place.from };
    const guess = from + (place.to - this.#saidLetters) * LETTER_MS * SAMPLES_PER_MS;
    this.#saidLetters = place.to;
    this.fate = 'spoken';
    part(spoken);
    for (;;) {
      const before = this.#saidSamples;
      const { until, isEnd } = this.#available(place, from, guess);
      if (until > this.#saidSamples) {
        const pcm = this.#samples.read(this.#saidSamples, until);
        this.#saidSamples = until;
        spoken.toMs = until / SAMPLES_PER_MS;
        yield pcm;
      }
      if (isEnd || signal.aborted) return;
      // More may have come while the reader had what was there.
      if (until > before) continue;
      await this.#more(signal);
      if (signal.aborted) return;
    }
  }

  /** Only this much was heard. What comes after it can be said again. */
  rewind(ms: number, part: SpokenPart | null): void {
    this.heardMs = Math.max(0, Math.min(ms, this.durationMs));
    this.#saidSamples = Math.round(this.heardMs * SAMPLES_PER_MS);
    if (part !== null) this.#saidLetters = part.fromLetters;
    this.fate = 'cut';
  }

  close(): void {
    this.#state = 'failed';
    this.#samples.clear();
    this.#wake();
  }

  #next(text: string | null): Place {
    const from = this.#saidLetters;
    if (text === null) return { from, to: Number.POSITIVE_INFINITY };
    return this.#placeOf(text) ?? { from, to: from + letters(text).length };
  }

  #placeOf(text: string): Place | null {
    const wanted = letters(text);
    if (wanted === '') return null;
    const from = this.#letters.indexOf(wanted, this.#saidLetters);
    if (from === -1 || from - this.#saidLetters > FURTHEST_LETTERS) return null;
    return { from, to: from + wanted.length };
  }

  /**
   * Up to where the sentence's sound is here. @param start where it begins. @param guess where it ends, as long as the whole
   * is not known.
   */
  #available({ from, to }: Place, start: number, guess: number): { until: number; isEnd: boolean } {
    const { length } = this.#samples;
    const around = AROUND_END_MS * SAMPLES_PER_MS;
    if (this.#state !== 'arriving') {
      if (to >= this.#letters.length) return { until: length, isEnd: true };
      const share = (to - from) / (this.#letters.length - from);
      const end = Math.max(this.#saidSamples, start + (length - start) * share);
      const until = this.#samples.quietestPlace(Math.max(this.#saidSamples, Math.round(end - around)), end + around);
      return { until, isEnd: true };
    }
    // As long as nothing is known to come behind it, all may be of this sentence.
    if (to >= this.#letters.length) return { until: length, isEnd: false };
    if (length < guess + around)
      return { until: Math.max(0, Math.min(length, Math.round(guess - around))), isEnd: false };
    const earliest = Math.max(this.#saidSamples, Math.round(guess - around));
    return { until: this.#samples.quietestPlace(earliest, Math.max(earliest, guess + around)), isEnd: true };
  }

  #more(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const leave = (): void => aborted.resolve();
    signal.addEventListener('abort', leave, { once: true });
    return Promise.race([this.#changed.promise, aborted.promise]).finally(() =>
      signal.removeEventListener('abort', leave),
    );
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
