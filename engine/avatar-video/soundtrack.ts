import { AAC_FRAME_SAMPLES, AacEncoder } from '../recording/aac-encoder.ts';
import { SAMPLES_PER_MS } from '../media/audio-format.ts';
import { SampleQueue } from '../audio-out/queue/sample-queue.ts';

/** Most silence in one piece of the queue, so that a long pause is not one long array. */
const SILENCE_SAMPLES = 1_000 * SAMPLES_PER_MS;

/** The sound of a video from its beginning on, without a gap: what is put in comes out as AAC. */
export class Soundtrack {
  readonly encoder = new AacEncoder();
  readonly #queue = new SampleQueue();
  readonly #pcm = new Int16Array(AAC_FRAME_SAMPLES);
  readonly #samples = new Float32Array(AAC_FRAME_SAMPLES);
  #queued = 0;
  #encoded = 0;

  /** Where the next sound would begin. */
  get lengthMs(): number {
    return this.#queued / SAMPLES_PER_MS;
  }

  audio(pcm: Int16Array): void {
    this.#queue.push(pcm);
    this.#queued += pcm.length;
  }

  silence(ms: number): void {
    for (let left = Math.round(ms * SAMPLES_PER_MS); left > 0; left -= SILENCE_SAMPLES)
      this.audio(new Int16Array(Math.min(left, SILENCE_SAMPLES)));
  }

  /** @returns the audio packets before `untilMs`, as far as there is sound. */
  encodeUntil(untilMs: number): ReturnType<AacEncoder['encode']> {
    const until = Math.min(untilMs * SAMPLES_PER_MS, this.#queued);
    const packets: ReturnType<AacEncoder['encode']> = [];
    while (this.#encoded + AAC_FRAME_SAMPLES <= until) packets.push(...this.#frame());
    return packets;
  }

  /** @returns the rest. */
  finish(): ReturnType<AacEncoder['encode']> {
    const packets = this.encodeUntil(Number.POSITIVE_INFINITY);
    if (this.#encoded < this.#queued) packets.push(...this.#frame());
    return [...packets, ...this.encoder.encode(null)];
  }

  #frame(): ReturnType<AacEncoder['encode']> {
    this.#pcm.fill(0);
    this.#encoded += this.#queue.take(this.#pcm);
    for (let i = 0; i < AAC_FRAME_SAMPLES; i++) this.#samples[i] = this.#pcm[i]! / 32_768;
    return this.encoder.encode(this.#samples);
  }
}
