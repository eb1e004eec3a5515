import type { TimedUnit } from '../ports.ts';
import type { CharacterSpans } from './stream/speech-protocol.ts';
import { WordTimeline } from './word-timeline.ts';

/** A character may begin this much before the one before has ended without that being a new count. */
const ROUNDING_MS = 20;

/** Words from the times of characters. */
export class CharacterTimes {
  readonly #text: string;
  readonly #timeline: WordTimeline;
  #position = 0;
  #reachedMs = 0;

  constructor(text: string, language: string) {
    this.#text = text;
    this.#timeline = new WordTimeline(text, language);
  }

  /**
   * @param audioSoFarMs length of the sound before these characters. Where their times start over, they are taken as
   *   counted from there; else from the start of the utterance.
   */
  read({ characters, startMs: starts, endMs: ends }: CharacterSpans, audioSoFarMs: number): TimedUnit[] {
    const startsOver = (starts[0] ?? this.#reachedMs) < this.#reachedMs - ROUNDING_MS;
    const offsetMs = startsOver ? audioSoFarMs : 0;
    const words: TimedUnit[] = [];
    characters.forEach((character, index) => {
      if (character.trim() === '') return;
      this.#skipSpace();
      const endMs = (ends[index] ?? 0) + offsetMs;
      words.push(...this.#timeline.mark(this.#position, (starts[index] ?? 0) + offsetMs, endMs));
      this.#position += character.length;
      this.#reachedMs = Math.max(this.#reachedMs, endMs);
    });
    return words;
  }

  finish(durationMs: number): TimedUnit[] {
    return this.#timeline.finish(durationMs);
  }

  /** Services add and drop spaces; words are what counts. */
  #skipSpace(): void {
    while (this.#position < this.#text.length && this.#text[this.#position]!.trim() === '') this.#position += 1;
  }
}
