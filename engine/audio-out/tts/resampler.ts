import { SoftwareResampleContext } from 'node-av/lib';
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { SAMPLE_RATE } from '../../media/audio-format.ts';

/** Filter delay and rounding: more than swresample ever holds back or adds. */
const SLACK_SAMPLES = 512;

/** Where all of them write; what was made is copied from there at once. It has the size of the longest chunk so far. */
let scratch = Buffer.alloc(0);

/** Brings one stream to another rate, chunk by chunk without seams (swresample; about 0.02 ms per 20 ms of sound). */
export class Resampler {
  readonly inputRate: number;
  readonly outputRate: number;
  readonly #context: SoftwareResampleContext | null;
  #life: 'open' | 'closed' = 'open';
  #taken = 0;
  #made = 0;

  /** @param inputRate Hz, 8000–96000. @param outputRate Hz @defaultValue 48000 @throws RangeError */
  constructor(inputRate: number, outputRate = SAMPLE_RATE) {
    if (!Number.isInteger(inputRate) || inputRate < 8_000 || inputRate > 96_000)
      throw new RangeError(`Cannot resample from ${inputRate} Hz.`);
    this.inputRate = inputRate;
    this.outputRate = outputRate;
    if (inputRate === outputRate) {
      this.#context = null;
      return;
    }
    this.#context = new SoftwareResampleContext();
    const set = this.#context.allocSetOpts2(
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_S16,
      outputRate,
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_S16,
      inputRate,
    );
    if (set < 0 || this.#context.init() < 0) throw new Error('swresample did not open.');
  }

  /** Samples at the output's rate that have come in and not gone out: the filter keeps about 0.3 ms back. */
  get heldBack(): number {
    return this.#life === 'closed'
      ? 0
      : Math.max(0, Math.round((this.#taken * this.outputRate) / this.inputRate) - this.#made);
  }

  /** @returns the samples that are ready. */
  convert(pcm: Int16Array): Int16Array {
    if (this.#life === 'closed' || pcm.length === 0) return new Int16Array(0);
    if (!this.#context) return pcm.slice();
    this.#taken += pcm.length;
    return this.#run([Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)], pcm.length);
  }

  /** Ends the stream. @returns what was kept back. */
  finish(): Int16Array {
    if (this.#life === 'closed') return new Int16Array(0);
    const rest = this.#context ? this.#run(null, 0) : new Int16Array(0);
    this.close();
    return rest;
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#context?.free();
  }

  #run(input: Buffer[] | null, count: number): Int16Array {
    const room = Math.ceil((count * this.outputRate) / this.inputRate) + SLACK_SAMPLES;
    if (scratch.length < room * 2) scratch = Buffer.allocUnsafeSlow(room * 2);
    const made = this.#context!.convertSync([scratch], room, input, count);
    if (made < 0) throw new Error(`swresample failed (${made}).`);
    this.#made += made;
    return new Int16Array(scratch.buffer, 0, made).slice();
  }
}
