import type { TimedUnit } from '../ports.ts';
import { CharacterClock } from './character-clock.ts';
import type { CharacterSpans } from './stream/speech-protocol.ts';
import { WordTimeline } from './word-timeline.ts';

/** Word times from character times. */
export class CharacterTimes {
  readonly #text: string;
  readonly #timeline: WordTimeline;
  readonly #clock = new CharacterClock();
  #position = 0;

  constructor(text: string, language: string) {
    this.#text = text;
    this.#timeline = new WordTimeline(text, language);
  }

  /** @param audioSoFarMs length of the audio before these characters. */
  read(spans: CharacterSpans, audioSoFarMs: number): TimedUnit[] {
    return this.#clock.read(spans, audioSoFarMs).flatMap(({ text: character, startMs, endMs }) => {
      if (character.trim() === '') return [];
      this.#skipSpace();
      const words = this.#timeline.mark(this.#position, startMs, endMs);
      this.#position += character.length;
      return words;
    });
  }

  finish(durationMs: number): TimedUnit[] {
    return this.#timeline.finish(durationMs);
  }

  /** Services add and remove spaces, so only words are compared. */
  #skipSpace(): void {
    while (this.#position < this.#text.length && this.#text[this.#position]!.trim() === '') this.#position += 1;
  }
}
