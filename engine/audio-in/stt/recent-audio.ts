const SAMPLES_PER_MS = 16;
/** The input of the end-of-turn model: 8 s. */
const SAMPLES = 8_000 * SAMPLES_PER_MS;
/** Capture times of sound that goes on differ by less. */
const MIN_GAP_MS = 100;

/**
 * The last seconds of one session's audio, in a ring. A browser may send nothing while it is silent: then the sound before
 * is not the sound right before.
 */
export class RecentAudio {
  readonly #ring = new Int16Array(SAMPLES);
  #written = 0;
  #endsAt: number | null = null;

  /** @param pcm 16 kHz, shorter than the ring. @param endsAt when its last sample was captured, ms. */
  push(pcm: Int16Array, endsAt: number): void {
    const gapMs = this.#endsAt === null ? 0 : endsAt - pcm.length / SAMPLES_PER_MS - this.#endsAt;
    if (gapMs >= MIN_GAP_MS) this.#write(new Int16Array(Math.min(SAMPLES, Math.round(gapMs * SAMPLES_PER_MS))));
    this.#write(pcm);
    this.#endsAt = endsAt;
  }

  #write(pcm: Int16Array): void {
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
