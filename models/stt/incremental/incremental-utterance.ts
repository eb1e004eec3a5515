import { agreedWords, confidenceOf, isAsLong } from './local-agreement.ts';

/** Longest part of an utterance in one reading, 20 s: Whisper decodes at most 30 s, including its padding. */
export const MAX_PART_SAMPLES = 20 * 16_000;
/** Shorter audio has no word that could be kept. */
const FIRST_READING_SAMPLES = 0.8 * 16_000;
/** A word takes 0.3 s, so more frequent readings give nothing new. */
const MIN_INTERVAL_SAMPLES = 0.6 * 16_000;
/**
 * Readings while somebody speaks take this share of the time at most, so that a final reading seldom waits for one, and
 * the rest of the machine goes on. A slow or busy machine reads less often.
 */
const SHARE_OF_TIME = 1 / 3;

/**
 * The VAD reports silence two windows of 32 ms after the voice. A reading with one of these windows has all words, even
 * if it began before that report.
 */
const SAMPLES_AFTER_LAST_WORD = 32 * 16;

/** What is to be read next of an utterance. */
export interface Reading {
  /** `part`: the utterance is too long for one reading. `end`: all of it. `middle`: the speaker goes on. */
  readonly kind: 'part' | 'end' | 'middle';
  readonly pieces: readonly Float32Array[];
  /** Of the part that is open, where the reading ends. */
  readonly samples: number;
}

const NOTHING_READ = { text: '', samples: 0, confidence: null };

/** What is shown of an utterance. */
export interface Shown {
  readonly text: string;
  /** Its last words are not read yet, or the speaker goes on. */
  readonly isBehind: boolean;
}

/** An utterance that is decoded again as it grows. This class only says what to decode next. Samples of 16 kHz. */
export class IncrementalUtterance {
  readonly language: string;
  #pieces: Float32Array[] = [];
  #samples = 0;
  /** All samples, those of earlier parts as well. */
  total = 0;
  /** Parts that are full: their sound, or their words. */
  readonly #parts: (Reading | string)[] = [];
  #readUpTo = 0;
  /** The reading of most of the open part: one that began later may be done first. Confidence: null: nobody knows. */
  #newest: { readonly text: string; readonly samples: number; readonly confidence: number | null } = NOTHING_READ;
  #told: Shown = { text: '', isBehind: true };
  /** Where the voice stopped, in the open part; null while it goes on. */
  #silentAt: number | null = null;
  #state: 'spoken' | 'finished' = 'spoken';

  constructor(language: string) {
    this.language = language;
  }

  get isFinished(): boolean {
    return this.#state === 'finished';
  }

  write(samples: Float32Array): void {
    if (this.#samples + samples.length > MAX_PART_SAMPLES) this.#closePart();
    this.#pieces.push(samples);
    this.#samples += samples.length;
    this.total += samples.length;
  }

  /**
   * The voice seems to stop: the last reading may begin. If it goes on, that reading is thrown away.
   * @returns what to show if it has changed: the last words may be read already.
   */
  setVoice(voice: 'on' | 'off'): Shown | null {
    if (voice === 'on') this.#silentAt = null;
    else this.#silentAt ??= Math.max(0, this.#samples - SAMPLES_AFTER_LAST_WORD);
    return this.#isEndRead ? this.#show(this.#newest.text) : null;
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
      if (this.#isEndRead || this.#samples === 0) return null;
      return { kind: 'end', pieces: this.#pieces, samples: this.#samples };
    }
    const interval = Math.max(MIN_INTERVAL_SAMPLES, (readingMs * 16 * (1 + others)) / SHARE_OF_TIME);
    if (this.#samples < FIRST_READING_SAMPLES || this.#samples - this.#readUpTo < interval) return null;
    return { kind: 'middle', pieces: this.#pieces, samples: this.#samples };
  }

  /** Whether this reading has words for which no other one is needed. If the voice went on, its last ones are old. */
  needs({ kind, pieces, samples }: Reading): boolean {
    if (kind === 'part') return true;
    return pieces === this.#pieces && this.#silentAt !== null && samples >= this.#silentAt;
  }

  /** How long a middle reading has been due, to be fair. */
  get unread(): number {
    return this.#samples - this.#readUpTo;
  }

  /** A reading begins: the next one is due after more sound. */
  began({ kind, samples }: Reading): void {
    if (kind !== 'part') this.#readUpTo = samples;
  }

  /** @returns what to show if it has changed; null: nothing new. */
  took(reading: Reading, text: string): Shown | null {
    const at = this.#parts.indexOf(reading);
    if (at >= 0) {
      this.#parts[at] = text;
      return this.#show('');
    }
    // A part that was closed meanwhile is read as a whole.
    if (reading.pieces !== this.#pieces || reading.samples < this.#newest.samples) return null;
    const before = this.#newest.text;
    this.#newest = { text, samples: reading.samples, confidence: confidenceOf(before, text) };
    if (this.#isEndRead) return this.#show(text);
    const agreed = agreedWords(before, text);
    return isAsLong(agreed, this.#told.text) ? this.#show(agreed) : null;
  }

  /** @returns all words, once they are known, and how sure they are; null: something is to be read. */
  final(): { readonly text: string; readonly confidence: number | null } | null {
    if (this.#state === 'spoken' || this.#parts.some((part) => typeof part !== 'string')) return null;
    if (!this.#isEndRead && this.#samples > 0) return null;
    const { text, confidence } = this.#newest;
    return { text: joined([...(this.#parts as string[]), text]), confidence };
  }

  get #isEndRead(): boolean {
    return this.#silentAt !== null && this.#samples > 0 && this.#newest.samples >= Math.max(1, this.#silentAt);
  }

  #closePart(): void {
    this.#parts.push({ kind: 'part', pieces: this.#pieces, samples: this.#samples });
    this.#pieces = [];
    this.#samples = 0;
    this.#readUpTo = 0;
    this.#newest = NOTHING_READ;
    this.#told = { text: '', isBehind: true };
    if (this.#silentAt !== null) this.#silentAt = 0;
  }

  /** @param words of the open part. */
  #show(words: string): Shown | null {
    const before = this.#told;
    this.#told = { text: words, isBehind: !this.#isEndRead };
    if (words === before.text && this.#told.isBehind === before.isBehind) return null;
    const parts = this.#parts.filter((part) => typeof part === 'string');
    return { text: joined([...parts, words]), isBehind: this.#told.isBehind };
  }
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
