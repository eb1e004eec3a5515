/** Makes samples of a byte stream of 16-bit little-endian PCM, whose chunks may end in the middle of a sample. */
export class PcmBytes {
  #half: number | null = null;

  /** @returns the whole samples so far, in memory of their own. */
  push(bytes: Uint8Array): Int16Array {
    const joined = this.#half === null ? bytes : Uint8Array.from([this.#half, ...bytes]);
    const samples = joined.length >> 1;
    this.#half = joined.length % 2 === 1 ? joined[joined.length - 1]! : null;
    const pcm = new Int16Array(samples);
    new Uint8Array(pcm.buffer).set(joined.subarray(0, samples * 2));
    return pcm;
  }
}
