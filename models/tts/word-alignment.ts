import type { TimedUnit } from '../ports.ts';
import { WordTimeline } from './word-timeline.ts';

/** If the word is found further ahead than this, it is a later one with the same letters. */
const LOOK_AHEAD_CHARACTERS = 40;

/**
 * Aligns the words that a service reports with the words of the text. Each is looked for behind the one before it. A
 * word that is not found ("three" for "3") belongs to the next word of the text.
 */
export class WordAlignment {
  readonly #text: string;
  readonly #timeline: WordTimeline;
  #cursor = 0;

  constructor(text: string, language: string) {
    this.#text = text.toLowerCase();
    this.#timeline = new WordTimeline(text, language);
  }

  /** @param reported words as the service says them, in order. @returns words of the text that are now complete. */
  read(reported: readonly TimedUnit[]): TimedUnit[] {
    return reported.flatMap(({ text: word, startMs, endMs }) => {
      const found = this.#text.indexOf(word.toLowerCase(), this.#cursor);
      const isNear = found >= 0 && found - this.#cursor <= LOOK_AHEAD_CHARACTERS;
      const position = isNear ? found : this.#nextGap();
      this.#cursor = isNear ? found + word.length : position;
      return this.#timeline.mark(position, startMs, endMs);
    });
  }

  #nextGap(): number {
    const length = this.#text.slice(this.#cursor).search(/\s/u);
    return length < 0 ? this.#cursor : this.#cursor + length;
  }

  finish(durationMs: number): TimedUnit[] {
    return this.#timeline.finish(durationMs);
  }
}
