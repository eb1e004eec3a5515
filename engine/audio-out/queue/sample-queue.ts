/** First in, first out, without copying what waits. */
export class SampleQueue {
  #chunks: Int16Array[] = [];
  /** How many samples of the first chunk were taken. */
  #taken = 0;
  #length = 0;

  /** Samples that wait. */
  get length(): number {
    return this.#length;
  }

  /** @param pcm the queue takes ownership. */
  push(pcm: Int16Array): void {
    if (pcm.length === 0) return;
    this.#chunks.push(pcm);
    this.#length += pcm.length;
  }

  /** Moves samples to the start of `into`. @returns how many there were. */
  take(into: Int16Array): number {
    let filled = 0;
    while (filled < into.length && this.#chunks.length > 0) {
      const chunk = this.#chunks[0]!;
      const count = Math.min(into.length - filled, chunk.length - this.#taken);
      into.set(chunk.subarray(this.#taken, this.#taken + count), filled);
      filled += count;
      this.#taken += count;
      if (this.#taken === chunk.length) {
        this.#chunks.shift();
        this.#taken = 0;
      }
    }
    this.#length -= filled;
    return filled;
  }
}
