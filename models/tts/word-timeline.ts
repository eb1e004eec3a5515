import type { TimedUnit } from '../ports.ts';

/** A word of a text and its place, in UTF-16 units. `text` is exactly the slice, with punctuation. */
export interface TextWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Languages that are written without spaces. */
export const UNSPACED = new Set(['zh', 'ja', 'th', 'lo', 'km', 'my']);

/**
 * Cuts a text into the units for word times: text between spaces, or, in languages without spaces, words of the
 * dictionary with the punctuation after them. The slices are in order and contain every character that is not a space.
 */
export function textWords(text: string, language: string): TextWord[] {
  const words: TextWord[] = [];
  for (const match of text.matchAll(/\S+/gu)) {
    if (UNSPACED.has(language)) words.push(...dictionaryWords(match[0], match.index, language));
    else words.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return words;
}

function dictionaryWords(run: string, offset: number, language: string): TextWord[] {
  const words: TextWord[] = [];
  for (const part of new Intl.Segmenter(language, { granularity: 'word' }).segment(run)) {
    const previous = words.at(-1);
    const start = offset + part.index;
    const end = start + part.segment.length;
    if (part.isWordLike || !previous) words.push({ text: part.segment, start, end });
    else words[words.length - 1] = { text: previous.text + part.segment, start: previous.start, end };
  }
  return words;
}

/**
 * Turns word marks of a synthesizer into times of the text's words. Marks come one by one, and may split or join words
 * ("$12.50" is five spoken words). Each word is passed on once, in order, when its end is known.
 */
export class WordTimeline {
  readonly #words: TextWord[];
  /** Index of the present word; -1 before the first mark. */
  #current = -1;
  #startMs = 0;
  /** End of the present word, if the provider gave it. Otherwise it ends at the next mark. */
  #endMs: number | null = null;

  constructor(text: string, language: string) {
    this.#words = textWords(text, language);
  }

  /**
   * A spoken unit begins.
   * @param position its place in the text, UTF-16 units. @param endMs its end, if known.
   * @returns words that are now complete.
   */
  mark(position: number, startMs: number, endMs: number | null = null): TimedUnit[] {
    const index = this.#wordAt(position);
    if (index <= this.#current) {
      if (endMs !== null) this.reach(endMs);
      return [];
    }
    const done = this.#completeUpTo(index, startMs);
    this.#current = index;
    this.#startMs = startMs;
    this.#endMs = endMs;
    return done;
  }

  /** The present word is heard at least until this time. Without this it lasts until the next one. */
  reach(endMs: number): void {
    if (this.#current >= 0) this.#endMs = Math.max(this.#endMs ?? 0, endMs);
  }

  /** The audio has ended. @returns the remaining words. */
  finish(durationMs: number): TimedUnit[] {
    const done = this.#completeUpTo(this.#words.length, durationMs);
    this.#current = this.#words.length;
    return done;
  }

  #wordAt(position: number): number {
    const index = this.#words.findIndex((word) => position < word.end);
    return index < 0 ? this.#words.length - 1 : index;
  }

  /** The present word, and the words before `index` that are not spoken (a dash, an emoji), which take no time. */
  #completeUpTo(index: number, atMs: number): TimedUnit[] {
    const done: TimedUnit[] = [];
    let reachedMs = this.#current < 0 ? 0 : this.#startMs;
    for (let k = Math.max(0, this.#current); k < index; k += 1) {
      const endMs = k === this.#current ? Math.max(this.#startMs, Math.min(this.#endMs ?? atMs, atMs)) : reachedMs;
      done.push({ text: this.#words[k]!.text, startMs: reachedMs, endMs });
      reachedMs = endMs;
    }
    return done;
  }
}
