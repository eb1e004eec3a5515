import { SoftwareResampleContext } from 'node-av/lib';
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { SAMPLE_RATE } from '../media/audio-format.ts';

/** More than swresample ever adds to its input. */
const SLACK_SAMPLES = 512;

/** 48 kHz to the rate of a client, for one stream without seams. */
export class RateConverter {
  readonly rate: number;
  readonly #context = new SoftwareResampleContext();
  #life: 'open' | 'closed' = 'open';

  /** @param rate Hz, below 48,000. @throws when swresample does not open. */
  constructor(rate: number) {
    this.rate = rate;
    const set = this.#context.allocSetOpts2(
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_S16,
      rate,
      AV_CHANNEL_LAYOUT_MONO,
      AV_SAMPLE_FMT_S16,
      SAMPLE_RATE,
    );
    if (set < 0 || this.#context.init() < 0) throw new Error('swresample did not open.');
  }

  /** @param pcm 48 kHz. @returns what is ready of it. */
  convert(pcm: Int16Array): Int16Array {
    if (this.#life === 'closed' || pcm.length === 0) return new Int16Array(0);
    const room = Math.ceil((pcm.length * this.rate) / SAMPLE_RATE) + SLACK_SAMPLES;
    const output = Buffer.alloc(room * 2);
    const input = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    const made = this.#context.convertSync([output], room, [input], pcm.length);
    if (made < 0) throw new Error(`swresample failed (${made}).`);
    return new Int16Array(output.buffer, output.byteOffset, made).slice();
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#context.free();
  }
}
