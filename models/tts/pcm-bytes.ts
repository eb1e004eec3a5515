/**
 * Shorter pieces wait for the next one. This is 20 ms at 24 kHz, an audio frame. Otherwise a provider that sends single
 * samples would cost much memory.
 */
const MIN_BYTES = 960;

const NOTHING = new Int16Array(0);

/** Makes samples of a byte stream of 16-bit little-endian PCM, whose chunks may end in the middle of a sample. */
export class PcmBytes {
  readonly #kept = new Uint8Array(MIN_BYTES);
  #length = 0;

  /** @returns a copy of the whole samples so far; none while they are too few. */
  push(bytes: Uint8Array): Int16Array {
    const total = this.#length + bytes.length;
    if (total < MIN_BYTES) {
      this.#kept.set(bytes, this.#length);
      this.#length = total;
      return NOTHING;
    }
    const pcm = this.#samples(total >> 1, bytes);
    this.#length = total % 2;
    if (this.#length === 1) this.#kept[0] = bytes.at(-1) as number;
    return pcm;
  }

  /** The rest, at the end of the stream. */
  rest(): Int16Array {
    const pcm = this.#samples(this.#length >> 1, new Uint8Array(0));
    this.#length = 0;
    return pcm;
  }

  #samples(count: number, more: Uint8Array): Int16Array {
    const pcm = new Int16Array(count);
    const target = new Uint8Array(pcm.buffer);
    const kept = Math.min(this.#length, target.length);
    target.set(this.#kept.subarray(0, kept));
    target.set(more.subarray(0, target.length - kept), kept);
    return pcm;
  }
}
