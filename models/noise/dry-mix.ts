/**
 * How strongly a noise filter may work: its strength as a limit of attenuation, and the dry signal mixed back in.
 */

/** Attenuation at strength just below 1. Beyond about 40 dB what is left of the noise is under any speech. */
const MAX_LIMITED_ATTENUATION_DB = 40;

/**
 * The share of dry signal that limits what the filter can take away: noise that it removes wholly stays in the output,
 * lowered by `strength × 40` dB. At 1 nothing is mixed back.
 * @param strength 0…1.
 */
export function dryShare(strength: number): number {
  if (strength <= 0) return 1;
  if (strength >= 1) return 0;
  return 10 ** ((-strength * MAX_LIMITED_ATTENUATION_DB) / 20);
}

/** A filter answers late by a fixed number of samples; this keeps the dry signal back for as long. */
export class DelayLine {
  readonly #buffer: Float32Array;
  #position = 0;

  /** @param samples the delay; at least 1. */
  constructor(samples: number) {
    this.#buffer = new Float32Array(samples);
  }

  /** Takes `input` and writes what came `delay` samples earlier to `output`. They may be the same array. */
  exchange(input: Float32Array, output: Float32Array): void {
    for (let i = 0; i < input.length; i++) {
      const delayed = this.#buffer[this.#position] as number;
      this.#buffer[this.#position] = input[i] as number;
      this.#position = (this.#position + 1) % this.#buffer.length;
      output[i] = delayed;
    }
  }
}

/** Mixes `dry` into `wet`, in place. */
export function mixDry(wet: Float32Array, dry: Float32Array, share: number): void {
  for (let i = 0; i < wet.length; i++) {
    wet[i] = share * (dry[i] as number) + (1 - share) * (wet[i] as number);
  }
}
