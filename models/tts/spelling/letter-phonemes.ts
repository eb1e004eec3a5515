import type { TimedUnit } from '../../ports.ts';
import { CharacterClock } from '../character-clock.ts';
import type { CharacterSpans } from '../stream/speech-protocol.ts';
import { lettersToArpabet } from './letters-to-arpabet.ts';

/** The phonemes of one utterance whose letters come with times, in messages that may end within a word. */
export class LetterPhonemes {
  readonly #language: string;
  readonly #clock = new CharacterClock();
  /** The beginning of a word whose end is not known yet: "p" is another sound in "ph". */
  #word: readonly TimedUnit[] = [];

  /** @param language ISO 639-1. */
  constructor(language: string) {
    this.#language = language;
  }

  /** @param audioSoFarMs length of the sound before these characters. @returns those of all complete words. */
  read(spans: CharacterSpans, audioSoFarMs: number): TimedUnit[] {
    const known = [...this.#word, ...this.#clock.read(spans, audioSoFarMs)];
    const complete = known.findLastIndex(({ text }) => !/\p{L}/u.test(text)) + 1;
    this.#word = known.slice(complete);
    return lettersToArpabet(known.slice(0, complete), this.#language) ?? [];
  }

  finish(): TimedUnit[] {
    const rest = this.#word;
    this.#word = [];
    return lettersToArpabet(rest, this.#language) ?? [];
  }
}
