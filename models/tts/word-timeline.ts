import type { TimedUnit } from '../ports.ts';

/** A word of a text and its place, in UTF-16 units; `text` is exactly the slice, punctuation included. */
export interface TextWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Written without spaces between words. */
export const UNSPACED = new Set(['zh', 'ja', 'th', 'lo', 'km', 'my']);

/**
 * Cuts a text into the units by which speech is timed: what stands between spaces, or, in languages written without
 * them, what the dictionary says is a word with the punctuation after it. The slices are in order and together hold
 * every character that is not a space.
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
 * Turns a synthesizer's word marks, which come one by one and may split or join words ("$12.50" is five spoken
 * words), into times of the text's own words. Each word is given out once, in order, when its end is known.
 */
export class WordTimeline {
  readonly #words: TextWord[];
  /** Index of the word being spoken; -1 before the first mark. */
  #current = -1;
  #startMs = 0;
  /** End of the current word where the provider says so; else the next mark ends it. */
  #endMs: number | null = null;

  constructor(text: string, language: string) {
    this.#words = textWords(text, language);
  }

  /**
   * A spoken unit begins.
   * @param position where it stands in the text, UTF-16 units. @param endMs its end if known.
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

  /** The word being spoken is heard at least until here; without this it lasts until the next one. */
  reach(endMs: number): void {
    if (this.#current >= 0) this.#endMs = Math.max(this.#endMs ?? 0, endMs);
  }

  /** The sound is over. @returns the words that were left. */
  finish(durationMs: number): TimedUnit[] {
    const done = this.#completeUpTo(this.#words.length, durationMs);
    this.#current = this.#words.length;
    return done;
  }

  #wordAt(position: number): number {
    const index = this.#words.findIndex((word) => position < word.end);
    return index < 0 ? this.#words.length - 1 : index;
  }

  /** The current word and the unspoken ones (a dash, an emoji) before `index`, which take no time. */
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
