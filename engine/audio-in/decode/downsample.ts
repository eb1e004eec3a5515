import { SAMPLE_RATE } from '../../audio-format.ts';

/**
 * 48 kHz → 16 kHz for a stream: a low-pass FIR evaluated at every third sample. 63 taps put the stop band 60 dB down
 * from 8.9 kHz on (what lies just above 8 kHz folds to just below it, where speech models do not look) and cost
 * 0.01 ms per 20 ms.
 */

const FACTOR = 3;
const TAPS = 63;
const MIDDLE = (TAPS - 1) / 2;
const CUTOFF_HZ = 7_400;
/** Shape of the Kaiser window for 60 dB of stop-band attenuation. */
const KAISER_BETA = 5.65;

/** How much later a sound comes out than it went in, in ms at any rate. */
export const DOWNSAMPLE_DELAY_MS = (MIDDLE / SAMPLE_RATE) * 1_000;

const coefficients = lowPass();

export class Downsampler {
  /** The last inputs that the next output still needs, then the new ones. */
  #pending = new Float32Array(TAPS - 1);

  /** @param input samples at 48 kHz, any number. @returns those at 16 kHz; the remainder waits for the next call. */
  process(input: Float32Array): Float32Array {
    const samples = new Float32Array(this.#pending.length + input.length);
    samples.set(this.#pending);
    samples.set(input, this.#pending.length);
    const count = samples.length < TAPS ? 0 : Math.floor((samples.length - TAPS) / FACTOR) + 1;
    const output = new Float32Array(count);
    for (let index = 0; index < count; index++) output[index] = filterAt(samples, index * FACTOR);
    this.#pending = samples.slice(count * FACTOR);
    return output;
  }

  /** The next sound follows on to what `other` was given. */
  continueFrom(other: Downsampler): void {
    this.#pending = other.#pending;
  }
}

function filterAt(samples: Float32Array, start: number): number {
  // The taps are symmetric: each pair is multiplied once.
  let sum = (coefficients[MIDDLE] as number) * (samples[start + MIDDLE] as number);
  for (let tap = 0; tap < MIDDLE; tap++)
    sum +=
      (coefficients[tap] as number) * ((samples[start + tap] as number) + (samples[start + TAPS - 1 - tap] as number));
  return sum;
}

function lowPass(): Float32Array {
  const taps = new Float64Array(TAPS);
  const cutoff = (2 * CUTOFF_HZ) / SAMPLE_RATE;
  for (let tap = 0; tap < TAPS; tap++) {
    const offset = tap - MIDDLE;
    const ideal = offset === 0 ? cutoff : Math.sin(Math.PI * cutoff * offset) / (Math.PI * offset);
    const edge = offset / MIDDLE;
    taps[tap] = ideal * (besselI0(KAISER_BETA * Math.sqrt(1 - edge * edge)) / besselI0(KAISER_BETA));
  }
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  return Float32Array.from(taps, (tap) => tap / gain);
}

/** Modified Bessel function of order zero, by its power series. */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
