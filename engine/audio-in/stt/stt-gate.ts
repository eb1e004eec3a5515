/**
 * Which part of the sound reaches recognition: speech with some sound before and after it. So silence between turns
 * costs no recognition.
 */

/** Below the 0.5 of a decision for speech, so that soft beginnings are included. */
const OPEN_PROBABILITY = 0.3;
/** Sound from before the first voiced window: soft consonants that detection misses. */
const PRE_ROLL_MS = 500;
/** Sound after the last voiced window. This includes the pauses inside a sentence. */
const POST_ROLL_MS = 1_500;

/** The first sign of silence: three windows without a voice, since the last voiced one began. Most plosives are shorter. */
const SILENT_AFTER_MS = 4 * 32;

export class SttGate {
  readonly #preRoll: { pcm: Int16Array; ms: number }[] = [];
  #preRollMs = 0;
  #openMsLeft = 0;

  /** Whether the sound that is passed on is a voice, or what follows it. */
  get voice(): 'on' | 'off' {
    return this.#openMsLeft > POST_ROLL_MS - SILENT_AFTER_MS ? 'on' : 'off';
  }

  /** Whether sound is passed on now. */
  get isOpen(): boolean {
    return this.#openMsLeft > 0;
  }

  /** @param pcm one window, 16 kHz. @returns the windows that recognition gets now, in order. */
  push(pcm: Int16Array, probability: number): Int16Array[] {
    const ms = pcm.length / 16;
    if (probability > OPEN_PROBABILITY) this.#openMsLeft = POST_ROLL_MS;
    if (this.#openMsLeft > 0) {
      this.#openMsLeft -= ms;
      this.#preRollMs = 0;
      return [...this.#preRoll.splice(0).map((held) => held.pcm), pcm];
    }
    this.#preRoll.push({ pcm, ms });
    this.#preRollMs += ms;
    while (this.#preRollMs > PRE_ROLL_MS) this.#preRollMs -= this.#preRoll.shift()?.ms ?? this.#preRollMs;
    return [];
  }

  /** The utterance is over. The pre-roll stays: the next utterance may have begun in it. */
  close(): void {
    this.#openMsLeft = 0;
  }
}
