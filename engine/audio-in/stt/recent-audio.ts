/** The input of the end-of-turn model: 8 s at 16 kHz. */
const SAMPLES = 128_000;

/** The last seconds of one session's audio, in a ring. */
export class RecentAudio {
  readonly #ring = new Int16Array(SAMPLES);
  #written = 0;

  /** @param pcm 16 kHz, shorter than the ring. */
  push(pcm: Int16Array): void {
    const at = this.#written % SAMPLES;
    const first = Math.min(pcm.length, SAMPLES - at);
    this.#ring.set(pcm.subarray(0, first), at);
    this.#ring.set(pcm.subarray(first), 0);
    this.#written += pcm.length;
  }

  /** @returns a copy of up to 8 s, newest last. */
  take(): Int16Array {
    const at = this.#written % SAMPLES;
    if (this.#written < SAMPLES) return this.#ring.slice(0, at);
    const audio = new Int16Array(SAMPLES);
    audio.set(this.#ring.subarray(at));
    audio.set(this.#ring.subarray(0, at), SAMPLES - at);
    return audio;
  }
}
