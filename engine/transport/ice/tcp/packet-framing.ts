/**
 * How packets travel on a TCP connection (RFC 4571): each one follows its length, a number of 16 bits. A length of zero
 * is a frame without a packet.
 */
const LENGTH_BYTES = 2;

/** Clients make packets for a path that carries 1,500 bytes. A longer frame is not a client's. */
export const MAX_PACKET_BYTES = 2_048;

const NOTHING = Buffer.alloc(0);

export function framed(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length);
  frame.writeUInt16BE(packet.length, 0);
  packet.copy(frame, LENGTH_BYTES);
  return frame;
}

/** Finds the packets in what arrives on one connection. It keeps at most one unfinished frame. */
export class FrameReader {
  #rest: Buffer = NOTHING;

  /**
   * @param bytes what arrived next. It is not copied: the packets are parts of it.
   * @returns the packets that are complete now; null: a frame is too long, and nothing after it can be read.
   */
  read(bytes: Buffer): Buffer[] | null {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const packets: Buffer[] = [];
    let offset = 0;
    while (offset + LENGTH_BYTES <= all.length) {
      const length = all.readUInt16BE(offset);
      if (length > MAX_PACKET_BYTES) return null;
      const end = offset + LENGTH_BYTES + length;
      if (end > all.length) break;
      if (length > 0) packets.push(all.subarray(offset + LENGTH_BYTES, end));
      offset = end;
    }
    // A copy, since a few bytes would keep everything alive that arrived with them.
    this.#rest = offset === all.length ? NOTHING : Buffer.from(all.subarray(offset));
    return packets;
  }
}
