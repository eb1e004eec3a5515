/** Half of the filter's length at the lower of both rates, samples. */
const REACH = 8;

/** Brings sound to another rate, piece by piece: a windowed sinc, one row of weights for each place between two samples. */
export class RateConverter {
  readonly #up: number;
  readonly #down: number;
  readonly #reach: number;
  readonly #rows: readonly Float64Array[];
  #kept: Int16Array;
  /** Place of the next output sample, in `1/up` of an input sample, counted from the beginning of `#kept`. */
  #next = 0;

  /** @param from Hz. @param to Hz. It delays by half of the filter: 0.5 ms from 16 kHz to 24 kHz. */
  constructor(from: number, to: number) {
    const common = greatestDivisor(from, to);
    this.#up = to / common;
    this.#down = from / common;
    this.#reach = Math.ceil(REACH * Math.max(1, from / to));
    this.#rows = rowsOf(this.#up, this.#reach, Math.min(1, to / from));
    this.#kept = new Int16Array(2 * this.#reach);
  }

  /** @returns all that is known by now, at the other rate. */
  convert(pcm: Int16Array): Int16Array {
    if (this.#up === this.#down) return pcm;
    const input = new Int16Array(this.#kept.length + pcm.length);
    input.set(this.#kept);
    input.set(pcm, this.#kept.length);
    const last = input.length - 2 * this.#reach;
    const output = new Int16Array(Math.max(0, Math.ceil((last * this.#up - this.#next) / this.#down)));
    for (let index = 0; index < output.length; index += 1) {
      const place = this.#next + index * this.#down;
      const base = Math.floor(place / this.#up);
      const row = this.#rows[place % this.#up]!;
      let sum = 0;
      for (let tap = 0; tap < row.length; tap += 1) sum += row[tap]! * input[base + tap]!;
      output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
    }
    this.#next += output.length * this.#down - last * this.#up;
    this.#kept = input.slice(last);
    return output;
  }
}

/** @param cutoff of the filter, as a share of half the input's rate. Each row adds up to 1. */
function rowsOf(up: number, reach: number, cutoff: number): Float64Array[] {
  return Array.from({ length: up }, (_, phase) => {
    const row = Float64Array.from({ length: 2 * reach }, (__, tap) => {
      const x = tap - (reach - 1) - phase / up;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x);
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (reach + 0.5)));
    });
    const sum = row.reduce((total, weight) => total + weight, 0);
    return row.map((weight) => weight / sum);
  });
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
