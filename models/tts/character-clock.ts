import type { TimedUnit } from '../ports.ts';
import type { CharacterSpans } from './stream/speech-protocol.ts';

/** Overlap of two characters, ms, up to which the times count on. With more, the service has begun to count anew. */
const ROUNDING_MS = 20;

/** Character times from the start of the utterance, also for services that count anew in each message. */
export class CharacterClock {
  #reachedMs = 0;

  /**
   * @param audioSoFarMs length of the audio before these characters. If their times begin anew, they count from there.
   * Otherwise they count from the start of the utterance.
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
