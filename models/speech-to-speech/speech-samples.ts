/** Samples of an answer, in order, to be read from any place. */
export class SpeechSamples {
  #samples = new Int16Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(pcm: Int16Array): void {
    if (this.#length + pcm.length > this.#samples.length) {
      const larger = new Int16Array(Math.max(this.#samples.length * 2, this.#length + pcm.length));
      larger.set(this.#samples.subarray(0, this.#length));
      this.#samples = larger;
    }
    this.#samples.set(pcm, this.#length);
    this.#length += pcm.length;
  }

  /** A copy. */
  read(from: number, to: number): Int16Array {
    return this.#samples.slice(from, Math.min(to, this.#length));
  }

  /** Frees the memory. */
  clear(): void {
    this.#samples = new Int16Array(0);
    this.#length = 0;
  }
}

/** 2 s at 24 kHz. */
const FIRST_ROOM = 48_000;
