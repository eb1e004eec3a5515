/** Reading and writing RTP packets (RFC 3550) with the one header extension that Parley uses (RFC 8285, one-byte form). */

const VERSION_2 = 0x80;
const HAS_PADDING = 0x20;
const HAS_EXTENSION = 0x10;
const MARKER = 0x80;
const HEADER_BYTES = 12;
const ONE_BYTE_PROFILE = 0xbede;
/** Profile, length and one 32-bit word: id and length, two bytes of sequence, one of padding. */
const EXTENSION_BYTES = 8;
const TRANSPORT_SEQUENCE_AT = HEADER_BYTES + 5;

export interface RtpHeader {
  readonly marker: boolean;
  readonly payloadType: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
}

/** Whether a packet is RTCP and not RTP, on a port that carries both (RFC 5761). */
export function isRtcp(packet: Buffer): boolean {
  return packet.length >= 8 && packet[1]! >= 192 && packet[1]! <= 223;
}

/** @param transportSequenceId extension id, or null; the number itself is stamped when the packet leaves. */
export function writeRtp(header: RtpHeader, payload: Uint8Array, transportSequenceId: number | null): Buffer {
  const payloadAt = HEADER_BYTES + (transportSequenceId === null ? 0 : EXTENSION_BYTES);
  const packet = Buffer.allocUnsafe(payloadAt + payload.length);
  packet[0] = VERSION_2 | (transportSequenceId === null ? 0 : HAS_EXTENSION);
  packet[1] = (header.marker ? MARKER : 0) | header.payloadType;
  packet.writeUInt16BE(header.sequence, 2);
  packet.writeUInt32BE(header.timestamp, 4);
  packet.writeUInt32BE(header.ssrc, 8);
  if (transportSequenceId !== null) {
    packet.writeUInt16BE(ONE_BYTE_PROFILE, HEADER_BYTES);
    packet.writeUInt16BE(1, HEADER_BYTES + 2);
    packet[HEADER_BYTES + 4] = (transportSequenceId << 4) | 1;
    packet.writeUInt16BE(0, TRANSPORT_SEQUENCE_AT);
    packet[HEADER_BYTES + 7] = 0;
  }
  packet.set(payload, payloadAt);
  return packet;
}

/** The length of padding is told in its last byte. */
export const MAX_PADDING = 255;

/** A packet without payload. @param bytes of padding, 1 to `MAX_PADDING`. */
export function writePadding(header: RtpHeader, bytes: number, transportSequenceId: number | null): Buffer {
  const packet = writeRtp(header, Buffer.alloc(bytes), transportSequenceId);
  packet[0]! |= HAS_PADDING;
  packet[packet.length - 1] = bytes;
  return packet;
}

/** Writes the transport-wide number into a packet made with an extension id. */
export function stampTransportSequence(packet: Buffer, sequence: number): void {
  packet.writeUInt16BE(sequence, TRANSPORT_SEQUENCE_AT);
}

/** @returns null for what is not RTP. The payload shares the packet's memory. */
export function parseRtp(packet: Buffer): (RtpHeader & { readonly payload: Buffer }) | null {
  if (packet.length < HEADER_BYTES || packet[0]! >> 6 !== 2) return null;
  let payloadAt = HEADER_BYTES + (packet[0]! & 0x0f) * 4;
  if (packet[0]! & HAS_EXTENSION) {
    if (payloadAt + 4 > packet.length) return null;
    payloadAt += 4 + packet.readUInt16BE(payloadAt + 2) * 4;
  }
  const padding = packet[0]! & HAS_PADDING ? packet[packet.length - 1]! : 0;
  const end = packet.length - padding;
  if (payloadAt > end) return null;
  return {
    marker: (packet[1]! & MARKER) !== 0,
    payloadType: packet[1]! & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(payloadAt, end),
  };
}

/** The signed distance from one 16-bit sequence number to another, across the wrap. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from + 0x8000) & 0xffff) - 0x8000;
}
