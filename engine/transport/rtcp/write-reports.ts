import { ntpTime } from '../rtp/media-time.ts';
import type { SendCounts } from '../rtp/send-stream.ts';
import type { ReceptionReport } from './reception.ts';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const CNAME = 1;
const REPORT_BLOCK_BYTES = 24;

export interface StreamReport extends SendCounts {
  /** The stream's RTP timestamp at the time of the report. */
  readonly timestamp: number;
}

/**
 * One RTCP compound (RFC 3550): a sender report for each stream that has sent, what was received of the client's
 * microphone, and the name that ties the streams together for lip sync.
 * @param now engine time. @returns null when there is nothing to report.
 */
export function writeReports(options: {
  now: number;
  cname: string;
  streams: readonly StreamReport[];
  received: ReceptionReport | null;
}): Buffer | null {
  const streams = options.streams.filter((stream) => stream.packets > 0);
  const first = streams[0] ?? options.streams[0];
  if (!first || (streams.length === 0 && !options.received)) return null;
  const reports =
    streams.length === 0
      ? [receiverReport(first.ssrc, options.received!)]
      : streams.map((stream, index) => senderReport(stream, options.now, index === 0 ? options.received : null));
  return Buffer.concat([
    ...reports,
    sourceDescription(
      (streams.length === 0 ? [first] : streams).map((stream) => stream.ssrc),
      options.cname,
    ),
  ]);
}

function senderReport(stream: StreamReport, now: number, received: ReceptionReport | null): Buffer {
  const packet = header(SENDER_REPORT, received ? 1 : 0, 28 + (received ? REPORT_BLOCK_BYTES : 0));
  const ntp = ntpTime(now);
  packet.writeUInt32BE(stream.ssrc, 4);
  packet.writeUInt32BE(ntp.seconds, 8);
  packet.writeUInt32BE(ntp.fraction, 12);
  packet.writeUInt32BE(stream.timestamp, 16);
  packet.writeUInt32BE(stream.packets >>> 0, 20);
  packet.writeUInt32BE(stream.octets >>> 0, 24);
  if (received) reportBlock(packet, 28, received);
  return packet;
}

function receiverReport(ssrc: number, received: ReceptionReport): Buffer {
  const packet = header(RECEIVER_REPORT, 1, 8 + REPORT_BLOCK_BYTES);
  packet.writeUInt32BE(ssrc, 4);
  reportBlock(packet, 8, received);
  return packet;
}

function reportBlock(packet: Buffer, at: number, received: ReceptionReport): void {
  packet.writeUInt32BE(received.ssrc, at);
  packet[at + 4] = Math.min(255, Math.round(received.fractionLost * 256));
  packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, received.lost)), at + 5, 3);
  packet.writeUInt32BE(received.highestSequence >>> 0, at + 8);
  packet.writeUInt32BE(Math.round(received.jitter), at + 12);
  packet.writeUInt32BE(received.lastSenderReport, at + 16);
  packet.writeUInt32BE(received.sinceSenderReport, at + 20);
}

function sourceDescription(ssrcs: readonly number[], cname: string): Buffer {
  const name = Buffer.from(cname);
  // SSRC, the item's type, length and text, and at least one zero up to the next 32-bit word.
  const chunkBytes = Math.ceil((4 + 2 + name.length + 1) / 4) * 4;
  const packet = header(SOURCE_DESCRIPTION, ssrcs.length, 4 + chunkBytes * ssrcs.length);
  for (const [index, ssrc] of ssrcs.entries()) {
    const at = 4 + chunkBytes * index;
    packet.writeUInt32BE(ssrc, at);
    packet[at + 4] = CNAME;
    packet[at + 5] = name.length;
    name.copy(packet, at + 6);
  }
  return packet;
}

function header(type: number, count: number, bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(bytes / 4 - 1, 2);
  return packet;
}
