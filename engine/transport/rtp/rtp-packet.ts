/** Reading and writing RTP packets (RFC 3550) with the header extensions that Parley uses (RFC 8285, one-byte form). */

const VERSION_2 = 0x80;
const HAS_PADDING = 0x20;
const HAS_EXTENSION = 0x10;
const MARKER = 0x80;
const HEADER_BYTES = 12;
const ONE_BYTE_PROFILE = 0xbede;
/** Profile and length of the extensions. */
const EXTENSIONS_HEADER_BYTES = 4;
const WORD_BYTES = 4;
/** The transport-wide number comes first: its id and length are one byte. */
const TRANSPORT_SEQUENCE_AT = HEADER_BYTES + EXTENSIONS_HEADER_BYTES + 1;
/** The unit of playout delays. */
const PLAYOUT_DELAY_STEP_MS = 10;

/**
 * Largest RTP payload in bytes. 1,280 is what every IPv6 link carries; less 48 for IP and UDP, 24 for RTP with its
 * extensions, 16 for the SRTP tag and room for a tunnel.
 */
export const MAX_PAYLOAD_BYTES = 1_150;

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

export interface HeaderExtensions {
  /** Id, 1 to 14; the number itself is written when the packet is sent. Null: no extension. */
  readonly transportSequenceId: number | null;
  /** For how long the receiver should hold a frame at least and at most. Null or missing without. */
  readonly playoutDelay?: { readonly id: number; readonly minMs: number; readonly maxMs: number } | null;
}

export const NO_EXTENSIONS: HeaderExtensions = { transportSequenceId: null };

/** @param allocate where the packet is written; what it returns may have any content. */
export function writeRtp(
  header: RtpHeader,
  payload: Uint8Array,
  { transportSequenceId, playoutDelay = null }: HeaderExtensions,
  allocate: (bytes: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const words = (transportSequenceId === null ? 0 : 1) + (playoutDelay === null ? 0 : 1);
  const payloadAt = HEADER_BYTES + (words === 0 ? 0 : EXTENSIONS_HEADER_BYTES + words * WORD_BYTES);
  const packet = allocate(payloadAt + payload.length);
  packet[0] = VERSION_2 | (words === 0 ? 0 : HAS_EXTENSION);
  packet[1] = (header.marker ? MARKER : 0) | header.payloadType;
  packet.writeUInt16BE(header.sequence, 2);
  packet.writeUInt32BE(header.timestamp, 4);
  packet.writeUInt32BE(header.ssrc, 8);
  if (words > 0) {
    packet.writeUInt16BE(ONE_BYTE_PROFILE, HEADER_BYTES);
    packet.writeUInt16BE(words, HEADER_BYTES + 2);
  }
  let at = HEADER_BYTES + EXTENSIONS_HEADER_BYTES;
  if (transportSequenceId !== null) {
    // Two bytes of number, one of padding.
    packet.writeUInt32BE(((transportSequenceId << 4) | 1) * 2 ** 24, at);
    at += WORD_BYTES;
  }
  if (playoutDelay !== null) {
    packet[at] = (playoutDelay.id << 4) | 2;
    packet.writeUIntBE(
      Math.round(playoutDelay.minMs / PLAYOUT_DELAY_STEP_MS) * 2 ** 12 +
        Math.round(playoutDelay.maxMs / PLAYOUT_DELAY_STEP_MS),
      at + 1,
      3,
    );
  }
  packet.set(payload, payloadAt);
  return packet;
}

/** The last byte of padding holds its length. */
export const MAX_PADDING = 255;

/** A packet without payload. @param bytes of padding, 1 to `MAX_PADDING`. */
export function writePadding(header: RtpHeader, bytes: number, extensions: HeaderExtensions): Buffer {
  const packet = writeRtp(header, Buffer.alloc(bytes), extensions);
  packet[0]! |= HAS_PADDING;
  packet[packet.length - 1] = bytes;
  return packet;
}

/** Writes the transport-wide number into a packet made with an extension id. */
export function stampTransportSequence(packet: Buffer, sequence: number): void {
  packet.writeUInt16BE(sequence, TRANSPORT_SEQUENCE_AT);
}

export function sequenceOf(packet: Buffer): number {
  return packet.readUInt16BE(2);
}

/** The number that was written into it last. */
export function transportSequenceOf(packet: Buffer): number {
  return packet.readUInt16BE(TRANSPORT_SEQUENCE_AT);
}

/** Before the payload of a retransmission: the number of what it repeats. */
const ORIGINAL_SEQUENCE_BYTES = 2;

/** The packet as a RTX stream carries it (RFC 4588): the whole packet, with that stream's numbers. */
export function writeRtx(original: Buffer, header: Pick<RtpHeader, 'payloadType' | 'sequence' | 'ssrc'>): Buffer {
  const payloadAt = payloadOffset(original);
  const packet = Buffer.allocUnsafe(original.length + ORIGINAL_SEQUENCE_BYTES);
  original.copy(packet, 0, 0, payloadAt);
  packet[1] = (original[1]! & MARKER) | header.payloadType;
  packet.writeUInt16BE(header.sequence, 2);
  packet.writeUInt32BE(header.ssrc, 8);
  packet.writeUInt16BE(sequenceOf(original), payloadAt);
  original.copy(packet, payloadAt + ORIGINAL_SEQUENCE_BYTES, payloadAt);
  return packet;
}

/** The offset of the payload; beyond the end of the packet if its header is cut off. */
function payloadOffset(packet: Buffer): number {
  const extensionsAt = HEADER_BYTES + (packet[0]! & 0x0f) * WORD_BYTES;
  if ((packet[0]! & HAS_EXTENSION) === 0) return extensionsAt;
  const payloadAt = extensionsAt + EXTENSIONS_HEADER_BYTES;
  return payloadAt > packet.length ? payloadAt : payloadAt + packet.readUInt16BE(extensionsAt + 2) * WORD_BYTES;
}

/** @returns null if it is not RTP. The payload shares the packet's memory. */
export function parseRtp(packet: Buffer): (RtpHeader & { readonly payload: Buffer }) | null {
  if (packet.length < HEADER_BYTES || packet[0]! >> 6 !== 2) return null;
  const payloadAt = payloadOffset(packet);
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
