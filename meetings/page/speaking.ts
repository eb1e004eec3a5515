/**
 * RMS of a frame from which on somebody speaks, of full scale: -46 dB. Browsers level voices to about -25 dB, and what
 * their noise suppression leaves of a quiet room is below -60 dB.
 */
const LOUD = 0.005;
/** ms that pauses between words last, and that do not end the speaking. */
const HANGOVER_MS = 300;

/** Whether one participant speaks, by the level of their sound. */
export class SpeakingDetector {
  #loudAt = -Infinity;
  #speaking = false;

  /**
   * @param rms of the last frame, of full scale. @param now ms, of any monotonic clock.
   * @returns the state, if it has changed, else null.
   */
  heard(rms: number, now: number): boolean | null {
    if (rms >= LOUD) this.#loudAt = now;
    const speaking = now - this.#loudAt < HANGOVER_MS;
    if (speaking === this.#speaking) return null;
    this.#speaking = speaking;
    return speaking;
  }

  get speaking(): boolean {
    return this.#speaking;
  }
}
