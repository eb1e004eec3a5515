import type { TimedUnit } from '../ports.ts';
import { WordTimeline } from './word-timeline.ts';

/** A word further ahead than this is another one that sounds alike. */
const LOOK_AHEAD_CHARACTERS = 40;

/**
 * Places spoken words in the text: each is looked for after the one before. What is not found ("three" for "3") belongs
 * to the word that follows.
 */
export class SpokenWords {
  readonly #text: string;
  readonly #timeline: WordTimeline;
  #cursor = 0;

  constructor(text: string, language: string) {
    this.#text = text.toLowerCase();
    this.#timeline = new WordTimeline(text, language);
  }

  /** @param spoken words as they are said, in order. @returns words of the text that are now complete. */
  read(spoken: readonly TimedUnit[]): TimedUnit[] {
    return spoken.flatMap(({ text: word, startMs, endMs }) => {
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
