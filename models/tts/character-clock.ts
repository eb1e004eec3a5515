import type { TimedUnit } from '../ports.ts';
import type { CharacterSpans } from './stream/speech-protocol.ts';

/** A character may begin this much before the one before has ended without that being a new count. */
const ROUNDING_MS = 20;

/** Characters with times from the start of the utterance, also where a service counts anew in each message. */
export class CharacterClock {
  #reachedMs = 0;

  /**
   * @param audioSoFarMs length of the sound before these characters. Where their times start over, they are taken as
   *   counted from there; else from the start of the utterance.
   */
  read({ characters, startMs, endMs }: CharacterSpans, audioSoFarMs: number): TimedUnit[] {
    const startsOver = (startMs[0] ?? this.#reachedMs) < this.#reachedMs - ROUNDING_MS;
    const offsetMs = startsOver ? audioSoFarMs : 0;
    const timed = characters.map((text, index) => ({
      text,
      startMs: (startMs[index] ?? 0) + offsetMs,
      endMs: (endMs[index] ?? 0) + offsetMs,
    }));
    for (const { text, endMs: end } of timed) if (text.trim() !== '') this.#reachedMs = Math.max(this.#reachedMs, end);
    return timed;
  }
}
