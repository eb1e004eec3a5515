/**
 * Discrete Fourier transform of one fixed length, for models that take spectra. Lengths whose prime factors are small
 * are quick: Whisper's 400 as well as 512.
 */
export class FourierTransform {
  readonly length: number;
  readonly #factors: readonly number[];
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #partRe: Float64Array;
  readonly #partIm: Float64Array;

  constructor(length: number) {
    this.length = length;
    this.#factors = factorsOf(length);
    const angles = Float64Array.from({ length }, (_, index) => (-2 * Math.PI * index) / length);
    this.#cos = angles.map(Math.cos);
    this.#sin = angles.map(Math.sin);
    this.#partRe = new Float64Array(Math.max(1, ...this.#factors));
    this.#partIm = new Float64Array(this.#partRe.length);
  }

  /** `output[k] = Σ input[n]·e^(−2πikn/length)`. Input and output must be different arrays of `length`. */
  forward(inRe: Float64Array, inIm: Float64Array, outRe: Float64Array, outIm: Float64Array): void {
    this.#transform(inRe, inIm, 0, 1, outRe, outIm, 0, this.length, 0);
  }

  /** The opposite of `forward`, scaled by 1/length. */
  inverse(inRe: Float64Array, inIm: Float64Array, outRe: Float64Array, outIm: Float64Array): void {
    // Real and imaginary parts exchanged on both sides turn the direction around.
    this.#transform(inIm, inRe, 0, 1, outIm, outRe, 0, this.length, 0);
    for (let i = 0; i < this.length; i++) {
      outRe[i] = (outRe[i] as number) / this.length;
      outIm[i] = (outIm[i] as number) / this.length;
    }
  }

  /** Decimation in time: `radix` transforms of every radix-th sample, then their combination. */
  #transform(
    inRe: Float64Array,
    inIm: Float64Array,
    from: number,
    stride: number,
    outRe: Float64Array,
    outIm: Float64Array,
    to: number,
    count: number,
    level: number,
  ): void {
    if (count === 1) {
      outRe[to] = inRe[from] as number;
      outIm[to] = inIm[from] as number;
      return;
    }
    const radix = this.#factors[level] as number;
    const part = count / radix;
    for (let q = 0; q < radix; q++) {
      this.#transform(inRe, inIm, from + q * stride, stride * radix, outRe, outIm, to + q * part, part, level + 1);
    }
    for (let k = 0; k < part; k++) this.#combine(outRe, outIm, to + k, part, radix, k * stride);
  }

  /** One butterfly; `twiddle` is the step of its first factor on the whole circle. */
  #combine(re: Float64Array, im: Float64Array, at: number, part: number, radix: number, twiddle: number): void {
    for (let q = 0; q < radix; q++) {
      const x = re[at + q * part] as number;
      const y = im[at + q * part] as number;
      const c = this.#cos[q * twiddle] as number;
      const s = this.#sin[q * twiddle] as number;
      this.#partRe[q] = x * c - y * s;
      this.#partIm[q] = x * s + y * c;
    }
    const step = this.length / radix;
    for (let r = 0; r < radix; r++) {
      let sumRe = 0;
      let sumIm = 0;
      for (let q = 0; q < radix; q++) {
        const index = ((q * r) % radix) * step;
        const c = this.#cos[index] as number;
        const s = this.#sin[index] as number;
        sumRe += (this.#partRe[q] as number) * c - (this.#partIm[q] as number) * s;
        sumIm += (this.#partRe[q] as number) * s + (this.#partIm[q] as number) * c;
      }
      re[at + r * part] = sumRe;
      im[at + r * part] = sumIm;
    }
  }
}

function factorsOf(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (let factor = 2; rest > 1;) {
    if (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    } else factor++;
  }
  return factors;
}
