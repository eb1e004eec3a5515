import { parseTransportFeedback, type TransportFeedback } from './transport-feedback.ts';

/** What a receiver tells a sender, RFC 3550, 4585, 5104 and two drafts. `media` is the SSRC that it speaks of. */
export type Feedback =
  | {
      readonly type: 'sender-report';
      readonly ssrc: number;
      /** Middle 32 bits of its NTP time. */ readonly ntpMiddle: number;
      readonly blocks: readonly ReportBlock[];
    }
  | { readonly type: 'receiver-report'; readonly blocks: readonly ReportBlock[] }
  | { readonly type: 'nack'; readonly media: number; readonly sequences: readonly number[] }
  | { readonly type: 'keyframe-request'; readonly media: number }
  | { readonly type: 'max-bitrate'; readonly bitsPerSecond: number }
  | { readonly type: 'transport'; readonly feedback: TransportFeedback };

export interface ReportBlock {
  readonly ssrc: number;
  /** 0…1 since the last report. */
  readonly fractionLost: number;
  /** The highest sequence number that has arrived, with the receiver's count of wraps in the upper 16 bits. */
  readonly highestSequence: number;
  readonly jitter: number;
  /** Middle 32 bits of the NTP time of the last sender report that arrived; 0: none has arrived. */
  readonly lastSenderReport: number;
  /** Since then, in 1/65536 s. */
  readonly sinceSenderReport: number;
}

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;
const GENERIC_NACK = 1;
const TRANSPORT_WIDE = 15;
const PICTURE_LOSS = 1;
const FULL_INTRA = 4;
const APPLICATION_LAYER = 15;
const REPORT_BLOCK_BYTES = 24;

/** Reads an RTCP compound packet. What is unknown or cut off is skipped. */
export function parseFeedback(compound: Buffer): Feedback[] {
  const found: Feedback[] = [];
  let offset = 0;
  while (offset + 8 <= compound.length) {
    const end = offset + (compound.readUInt16BE(offset + 2) + 1) * 4;
    if (end > compound.length) break;
    const feedback = parsePacket(compound.subarray(offset, end));
    if (feedback) found.push(feedback);
    offset = end;
  }
  return found;
}

function parsePacket(packet: Buffer): Feedback | null {
  const format = packet[0]! & 0x1f;
  switch (packet[1]) {
    case SENDER_REPORT:
      if (packet.length < 28) return null;
      return {
        type: 'sender-report',
        ssrc: packet.readUInt32BE(4),
        ntpMiddle: packet.readUInt32BE(10),
        blocks: parseBlocks(packet, 28, format),
      };
    case RECEIVER_REPORT:
      return { type: 'receiver-report', blocks: parseBlocks(packet, 8, format) };
    case TRANSPORT_FEEDBACK: {
      if (packet.length < 16) return null;
      if (format === GENERIC_NACK) return { type: 'nack', media: packet.readUInt32BE(8), sequences: parseNack(packet) };
      const feedback = format === TRANSPORT_WIDE ? parseTransportFeedback(packet) : null;
      return feedback && { type: 'transport', feedback };
    }
    case PAYLOAD_FEEDBACK:
      if (packet.length >= 12 && format === PICTURE_LOSS)
        return { type: 'keyframe-request', media: packet.readUInt32BE(8) };
      // FIR names its target in its entries, not in the header.
      if (packet.length >= 20 && format === FULL_INTRA)
        return { type: 'keyframe-request', media: packet.readUInt32BE(12) };
      if (packet.length >= 20 && format === APPLICATION_LAYER && packet.toString('latin1', 12, 16) === 'REMB')
        return { type: 'max-bitrate', bitsPerSecond: parseRemb(packet) };
      return null;
    default:
      return null;
  }
}

function parseBlocks(packet: Buffer, start: number, count: number): ReportBlock[] {
  const blocks: ReportBlock[] = [];
  for (let at = start; blocks.length < count && at + REPORT_BLOCK_BYTES <= packet.length; at += REPORT_BLOCK_BYTES) {
    blocks.push({
      ssrc: packet.readUInt32BE(at),
      fractionLost: packet[at + 4]! / 256,
      highestSequence: packet.readUInt32BE(at + 8),
      jitter: packet.readUInt32BE(at + 12),
      lastSenderReport: packet.readUInt32BE(at + 16),
      sinceSenderReport: packet.readUInt32BE(at + 20),
    });
  }
  return blocks;
}

function parseNack(packet: Buffer): number[] {
  const sequences: number[] = [];
  for (let at = 12; at + 4 <= packet.length; at += 4) {
    const first = packet.readUInt16BE(at);
    const following = packet.readUInt16BE(at + 2);
    sequences.push(first);
    for (let bit = 0; bit < 16; bit++) if (following & (1 << bit)) sequences.push((first + bit + 1) & 0xffff);
  }
  return sequences;
}

/** 6 bits of exponent, 18 of mantissa. */
function parseRemb(packet: Buffer): number {
  const exponent = packet[17]! >> 2;
  const mantissa = ((packet[17]! & 3) << 16) | packet.readUInt16BE(18);
  return mantissa * 2 ** exponent;
}
