/** Half of the filter's length, in samples of the input. */
const REACH = 8;
const UP = 3;
const DOWN = 2;

/** 16 kHz to 24 kHz, for a model that takes no other rate: a windowed sinc in three phases. It delays by 0.5 ms. */
export class Upsampler {
  #kept = new Int16Array(2 * REACH);
  /** Place of the next output sample, in thirds of an input sample, counted from the beginning of `#kept`. */
  #next = 0;

  /** @param pcm 16 kHz. @returns 24 kHz, all that is known by now. */
  convert(pcm: Int16Array): Int16Array {
    const input = new Int16Array(this.#kept.length + pcm.length);
    input.set(this.#kept);
    input.set(pcm, this.#kept.length);
    const last = input.length - 2 * REACH;
    const output = new Int16Array(Math.max(0, Math.ceil((last * UP - this.#next) / DOWN)));
    for (let index = 0; index < output.length; index += 1) {
      const place = this.#next + index * DOWN;
      const base = Math.floor(place / UP);
      const taps = PHASES[place % UP]!;
      let sum = 0;
      for (let tap = 0; tap < taps.length; tap += 1) sum += taps[tap]! * input[base + tap]!;
      output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
    }
    this.#next += output.length * DOWN - last * UP;
    this.#kept = input.slice(last);
    return output;
  }
}

/** Weights of the 16 samples around a place that is 0, 1 or 2 thirds behind the eighth. They add up to 1. */
const PHASES: readonly Float64Array[] = [0, 1, 2].map((phase) => {
  const taps = Float64Array.from({ length: 2 * REACH }, (_, tap) => {
    const x = tap - (REACH - 1) - phase / UP;
    const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (REACH + 0.5)));
  });
  const sum = taps.reduce((total, weight) => total + weight, 0);
  return taps.map((weight) => weight / sum);
});
