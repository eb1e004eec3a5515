/**
 * Adds up the sound of several tracks, frame by frame, as it arrives. The browser takes 10 ms of all its tracks in one
 * go, so their frames arrive together; a track that gives none holds the others up by one frame.
 */
export class AudioMixer {
  readonly #emit: (samples: Float32Array<ArrayBuffer>) => void;
  /** The frame of each track that is not added up yet. */
  readonly #waiting = new Map<string, Float32Array | null>();

  constructor(emit: (samples: Float32Array<ArrayBuffer>) => void) {
    this.#emit = emit;
  }

  add(key: string): void {
    this.#waiting.set(key, null);
  }

  remove(key: string): void {
    const last = this.#waiting.get(key);
    if (last !== undefined && last !== null) this.#mix();
    this.#waiting.delete(key);
  }

  push(key: string, samples: Float32Array): void {
    const before = this.#waiting.get(key);
    if (before === undefined) return;
    // The others are late, or silent.
    if (before !== null) this.#mix();
    this.#waiting.set(key, samples);
    if ([...this.#waiting.values()].every((frame) => frame !== null)) this.#mix();
  }

  #mix(): void {
    const frames = [...this.#waiting.values()].filter((frame) => frame !== null);
    const sum = new Float32Array(Math.max(...frames.map(({ length }) => length)));
    for (const frame of frames) frame.forEach((sample, i) => (sum[i]! += sample));
    for (const key of this.#waiting.keys()) this.#waiting.set(key, null);
    this.#emit(sum.map((sample) => Math.max(-1, Math.min(1, sample))));
  }
}
