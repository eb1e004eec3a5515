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

  /** @returns the middle of the quietest 120 ms in this part: between two sentences there is a pause. */
  quietestPlace(from: number, to: number): number {
    const end = Math.min(to, this.#length);
    const middle = (from + to) / 2;
    let best = from;
    let bestEnergy = Number.POSITIVE_INFINITY;
    for (let start = Math.max(0, from); start + QUIET_SAMPLES <= end; start += STEP_SAMPLES) {
      let energy = 0;
      for (let at = start; at < start + QUIET_SAMPLES; at += 1) energy += this.#samples[at]! ** 2;
      const isNearer = Math.abs(start + QUIET_SAMPLES / 2 - middle) < Math.abs(best - middle);
      if (energy > bestEnergy || (energy === bestEnergy && !isNearer)) continue;
      bestEnergy = energy;
      best = start + QUIET_SAMPLES / 2;
    }
    return Math.min(best, end);
  }

  /** Frees the memory. */
  clear(): void {
    this.#samples = new Int16Array(0);
    this.#length = 0;
  }
}

/** 2 s at 24 kHz. */
const FIRST_ROOM = 48_000;
/** 120 ms at 24 kHz: longer than the gaps between words, shorter than those between sentences. */
const QUIET_SAMPLES = 2_880;
/** 20 ms. */
const STEP_SAMPLES = 480;
