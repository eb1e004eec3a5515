/** A keyframe of 33 KB fills one. A stream of sound needs two for what it keeps. */
const BLOCK_BYTES = 32 * 1_024;

interface Block {
  readonly bytes: Buffer;
  /** How much of it is taken. */
  used: number;
  /** When the newest packet in it was made, ms. */
  writtenAt: number;
}

/**
 * The memory of one stream's packets, in blocks that are written again once all packets in them are old. Packets are kept
 * for seconds, and V8 frees what has lived for so long only when it collects the whole heap: with 20 conversations 26 MB
 * of packets waited for that.
 */
export class PacketMemory {
  readonly #keptMs: number;
  /** The oldest first. Packets go to the last one. */
  readonly #blocks: Block[] = [];

  /** @param keptMs nobody reads a packet that is older. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** @param bytes at most those of a block. @returns memory with any content, which is the packet's own for `keptMs`. */
  allocate(bytes: number, now: number): Buffer {
    let block = this.#blocks.at(-1);
    if (block === undefined || block.used + bytes > block.bytes.length) {
      block = this.#takeOldest(now) ?? { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0, writtenAt: now };
      this.#blocks.push(block);
    }
    const packet = block.bytes.subarray(block.used, block.used + bytes);
    block.used += bytes;
    block.writtenAt = now;
    return packet;
  }

  /** @returns a block that may be written again; undefined: there is none. Others like it go: there was a burst. */
  #takeOldest(now: number): Block | undefined {
    const count = this.#blocks.findIndex(({ writtenAt }) => now - writtenAt < this.#keptMs);
    const [oldest] = this.#blocks.splice(0, count === -1 ? this.#blocks.length : count);
    if (oldest !== undefined) oldest.used = 0;
    return oldest;
  }
}
