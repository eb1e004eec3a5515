import { agreedWords, confidenceOf, isAsLong } from './agreed-words.ts';

/** Longest part of an utterance that is read at once, 20 s: Whisper reads at most 30 s, its padding included. */
export const MOST_PART_SAMPLES = 20 * 16_000;
/** Less sound than this has no word that could be kept. */
const FIRST_READING_SAMPLES = 0.8 * 16_000;
/** A word takes 0.3 s: reading more often tells nothing new. */
const SHORTEST_INTERVAL_SAMPLES = 0.6 * 16_000;
/**
 * Readings while somebody speaks take this share of the time at most, so that a final reading seldom waits for one, and
 * the rest of the machine goes on. A slow or busy machine reads less often.
 */
const SHARE_OF_TIME = 1 / 3;

/** What is to be read next of an utterance. */
export interface Reading {
  /** `part`: the utterance is too long for one reading. `end`: all of it. `middle`: the speaker goes on. */
  readonly kind: 'part' | 'end' | 'middle';
  readonly pieces: readonly Float32Array[];
  /** Of the part that is open, where the reading ends. */
  readonly samples: number;
}

/** An utterance that is read again as it grows. It only says what is to be read; others do it. Samples of 16 kHz. */
export class GrowingUtterance {
  readonly language: string;
  #pieces: Float32Array[] = [];
  #samples = 0;
  /** All samples, those of earlier parts as well. */
  total = 0;
  /** Parts that are full: their sound, or their words. */
  readonly #parts: (Reading | string)[] = [];
  #readUpTo = 0;
  #newest = '';
  #told = '';
  /** Where the voice stopped, in the open part; null while it goes on. */
  #silentAt: number | null = null;
  /** Words of everything up to there. */
  #end: string | null = null;
  /** How sure they are; null: nobody knows. */
  #confidence: number | null = null;
  #state: 'spoken' | 'finished' = 'spoken';

  constructor(language: string) {
    this.language = language;
  }

  get isFinished(): boolean {
    return this.#state === 'finished';
  }

  write(samples: Float32Array): void {
    if (this.#samples + samples.length > MOST_PART_SAMPLES) this.#closePart();
    this.#pieces.push(samples);
    this.#samples += samples.length;
    this.total += samples.length;
  }

  /** The voice seems to stop: the last reading may begin. If it goes on, that reading is thrown away. */
  setVoice(voice: 'on' | 'off'): void {
    if (voice === 'on') {
      this.#silentAt = null;
      this.#end = null;
    } else this.#silentAt ??= this.#samples;
  }

  finish(): void {
    this.#state = 'finished';
    this.#silentAt ??= this.#samples;
  }

  /**
   * @param others utterances that are spoken at the same time. @param readingMs what a reading takes now, of any
   * utterance: on a machine that is too busy, even the first one waits.
   */
  next(others: number, readingMs: number): Reading | null {
    const part = this.#parts.find((each) => typeof each !== 'string');
    if (part !== undefined) return part;
    if (this.#silentAt !== null) {
      if (this.#end !== null || this.#samples === 0) return null;
      return { kind: 'end', pieces: this.#pieces, samples: this.#samples };
    }
    const interval = Math.max(SHORTEST_INTERVAL_SAMPLES, (readingMs * 16 * (1 + others)) / SHARE_OF_TIME);
    if (this.#samples < FIRST_READING_SAMPLES || this.#samples - this.#readUpTo < interval) return null;
    return { kind: 'middle', pieces: this.#pieces, samples: this.#samples };
  }

  /** How long a middle reading has been due, to be fair. */
  get unread(): number {
    return this.#samples - this.#readUpTo;
  }

  /** A reading begins: the next one is due after more sound. */
  began({ kind, samples }: Reading): void {
    if (kind !== 'part') this.#readUpTo = samples;
  }

  /** @returns the words to show if they have changed; null: nothing new. */
  took(reading: Reading, text: string): string | null {
    const at = this.#parts.indexOf(reading);
    if (at >= 0) {
      this.#parts[at] = text;
      return this.#show('');
    }
    // A part that was closed meanwhile is read as a whole.
    if (reading.kind === 'part' || reading.samples > this.#samples) return null;
    const agreed = agreedWords(this.#newest, text);
    const confidence = confidenceOf(this.#newest, text);
    this.#newest = text;
    if (this.#silentAt !== null && reading.samples >= this.#silentAt) {
      this.#end = text;
      this.#confidence = confidence;
      return this.#show(text);
    }
    return isAsLong(agreed, this.#told) ? this.#show(agreed) : null;
  }

  /** @returns all words, once they are known, and how sure they are; null: something is to be read. */
  final(): { readonly text: string; readonly confidence: number | null } | null {
    if (this.#state === 'spoken' || this.#parts.some((part) => typeof part !== 'string')) return null;
    if (this.#end === null && this.#samples > 0) return null;
    return { text: joined([...(this.#parts as string[]), this.#end ?? '']), confidence: this.#confidence };
  }

  #closePart(): void {
    this.#parts.push({ kind: 'part', pieces: this.#pieces, samples: this.#samples });
    this.#pieces = [];
    this.#samples = 0;
    this.#readUpTo = 0;
    this.#newest = '';
    this.#told = '';
    if (this.#silentAt !== null) this.#silentAt = 0;
    this.#end = null;
  }

  #show(words: string): string | null {
    const before = this.#told;
    this.#told = words;
    return words === before ? null : joined([...this.#parts.filter((part) => typeof part === 'string'), words]);
  }
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
