/** The last values of something measured per frame, for percentiles. */
const WINDOW = 2048;

export class RecentValues {
  readonly #values = new Float32Array(WINDOW);
  #count = 0;

  add(value: number): void {
    this.#values[this.#count % WINDOW] = value;
    this.#count++;
  }

  get count(): number {
    return this.#count;
  }

  /** @param share 0…1. @returns 0 when nothing was measured. */
  percentile(share: number): number {
    const sorted = this.#values.slice(0, Math.min(this.#count, WINDOW)).sort();
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  }

  mean(): number {
    const n = Math.min(this.#count, WINDOW);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += this.#values[i]!;
    return n === 0 ? 0 : sum / n;
  }
}
