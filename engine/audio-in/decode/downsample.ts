import { SoftwareResampleContext } from 'node-av/lib';
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { SAMPLE_RATE } from '../../media/audio-format.ts';

const OUTPUT_RATE = 16_000;
const FACTOR = SAMPLE_RATE / OUTPUT_RATE;
/**
 * The filter keeps 48 samples back (measured with FFmpeg 8.1). It starts with 48 samples of silence, so that three
 * samples in are one sample out from the first on. Otherwise every fifth window of 32 ms would wait 20 ms for the next
 * packet.
 */
const HELD_BACK_SAMPLES = 48;

/** How much later a sound comes out than it goes in, ms. */
export const DOWNSAMPLE_DELAY_MS = (HELD_BACK_SAMPLES / SAMPLE_RATE) * 1_000;

/** More than swresample ever adds to its input. */
const SLACK_SAMPLES = 64;

/**
 * 48 kHz → 16 kHz for a stream, by swresample: 0.004 ms per 20 ms, −0.4 dB at 7 kHz, −51 dB at 8.9 kHz and −94 dB from
 * 9.5 kHz on (frequencies just above 8 kHz alias to just below it, which speech models ignore).
 */
export class Downsampler {
  readonly #context = new SoftwareResampleContext();
  #life: 'open' | 'closed' = 'open';
  /** Grows with the longest piece. It is kept, because memory of this kind is slow to allocate. */
  #output = Buffer.alloc(0);

  /** @throws when swresample does not open. */
  constructor() {
    const set = this.#context.allocSetOpts2(
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_FLT,
      OUTPUT_RATE,
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_FLT,
      SAMPLE_RATE,
    );
    if (set < 0 || this.#context.init() < 0) throw new Error('swresample did not open.');
    this.process(new Float32Array(HELD_BACK_SAMPLES));
  }

  /**
   * @param input samples at 48 kHz, any number. @returns those at 16 kHz, in memory that the next call writes again; the
   * remainder waits for it.
   */
  process(input: Float32Array): Float32Array {
    if (this.#life === 'closed' || input.length === 0) return new Float32Array(0);
    const room = Math.ceil(input.length / FACTOR) + SLACK_SAMPLES;
    const bytes = room * Float32Array.BYTES_PER_ELEMENT;
    if (this.#output.length < bytes) this.#output = Buffer.alloc(bytes);
    const source = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    const made = this.#context.convertSync([this.#output], room, [source], input.length);
    if (made < 0) throw new Error(`swresample failed (${made}).`);
    return new Float32Array(this.#output.buffer, this.#output.byteOffset, made);
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#context.free();
  }
}
