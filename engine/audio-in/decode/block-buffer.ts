/** A piece of the microphone, 20 ms at 48 kHz, and what is left of the one before. It becomes larger when more comes. */
const USUAL_SAMPLES = 1_024;

/** Cuts a stream of samples into blocks of a different size. */
export class BlockBuffer {
  #samples = new Float32Array(USUAL_SAMPLES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(samples: Float32Array): void {
    if (this.#length + samples.length > this.#samples.length) {
      const larger = new Float32Array(2 * (this.#length + samples.length));
      larger.set(this.#samples.subarray(0, this.#length));
      this.#samples = larger;
    }
    this.#samples.set(samples, this.#length);
    this.#length += samples.length;
  }

  /** @returns the oldest `count` samples, or null while there are fewer. */
  take(count: number): Float32Array | null {
    if (this.#length < count) return null;
    const taken = this.#samples.slice(0, count);
    this.drop(count);
    return taken;
  }

  /** Drops the oldest `count` samples: all if there are fewer. */
  drop(count: number): void {
    this.#samples.copyWithin(0, count, this.#length);
    this.#length = Math.max(0, this.#length - count);
  }

  clear(): void {
    this.#length = 0;
  }
}
