/**
 * Finds where a voice ends inside a 32 ms window. The VAD model knows only whole windows, and remembers a voice for one
 * more. So each window is also cut into short blocks. A block counts as loud if it is not much quieter than the loudest
 * recent one.
 */

/** A block: long enough for half a wave of a low voice, short enough to time the end of a turn. */
const BLOCK_MS = 4;
const BLOCK_SAMPLES = BLOCK_MS * 16;
/**
 * The softest ends of words ("yes", "list") are about 30 dB below the vowels before them. Anything softer is fading
 * sound.
 */
const LOUD_BELOW_PEAK_DB = 32;
/** The peak decays at this rate, so that a voice that trails off stays loud: 20 dB a second. */
const PEAK_FADES_PER_BLOCK_DB = (20 * BLOCK_MS) / 1_000;

const FADE = 10 ** (-PEAK_FADES_PER_BLOCK_DB / 10);
const FRACTION_OF_PEAK = 10 ** (-LOUD_BELOW_PEAK_DB / 10);

/** Follows one sound. */
export class LoudPart {
  /** Sum of squares of the loudest block, decayed. */
  #peak = 0;

  /**
   * @param window at 16 kHz, of a length that blocks of 4 ms divide. @returns ms from its start to the end of its last
   * loud block; 0 for none.
   */
  of(window: Float32Array): number {
    let loudMs = 0;
    for (let start = 0; start < window.length; start += BLOCK_SAMPLES) {
      let power = 0;
      for (let k = start; k < start + BLOCK_SAMPLES; k += 1) power += (window[k] as number) ** 2;
      this.#peak = Math.max(power, this.#peak * FADE);
      if (power > 0 && power >= this.#peak * FRACTION_OF_PEAK) loudMs = start / 16 + BLOCK_MS;
    }
    return loudMs;
  }
}
