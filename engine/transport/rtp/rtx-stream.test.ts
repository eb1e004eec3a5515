import { describe, expect, it } from 'vitest';
import { VideoTime } from './media-time.ts';
import { RtxStream } from './rtx-stream.ts';
import { parseRtp, sequenceDistance, stampTransportSequence, transportSequenceOf } from './rtp-packet.ts';
import { SendStream } from './send-stream.ts';

const TRANSPORT_SEQUENCE_ID = 3;

/** One packet of a frame, and a stream for its retransmissions. */
function streams(options: { accepted: boolean }) {
  const frames = new SendStream(new VideoTime(), 16);
  frames.configure({
    payloadType: 96,
    transportSequenceId: TRANSPORT_SEQUENCE_ID,
    playoutDelay: { id: 6, minMs: 60, maxMs: 10_000 },
  });
  const retransmissions = new RtxStream();
  retransmissions.configure(options.accepted ? { payloadType: 97, transportSequenceId: TRANSPORT_SEQUENCE_ID } : null);
  const [sent] = frames.write([Buffer.from('picture')], 1_000, true, 1_000);
  return { retransmissions, sent: sent! };
}

describe('a retransmission in a stream of its own', () => {
  it('carries the number of what it repeats, and all the rest of it, under its own numbers', () => {
    const { retransmissions, sent } = streams({ accepted: true });
    const original = parseRtp(sent.packet)!;
    const [first, second] = [retransmissions.retransmit(sent), retransmissions.retransmit(sent)].map(({ packet }) =>
      parseRtp(packet)!,
    );
    expect(first).toMatchObject({
      ssrc: retransmissions.ssrc,
      payloadType: 97,
      timestamp: original.timestamp,
      marker: true,
    });
    expect(first!.payload.readUInt16BE(0)).toBe(original.sequence);
    expect(first!.payload.subarray(2).toString()).toBe('picture');
    expect(sequenceDistance(first!.sequence, second!.sequence)).toBe(1);
  });

  it('is numbered for the way like every packet, and leaves the original as it was', () => {
    const { retransmissions, sent } = streams({ accepted: true });
    stampTransportSequence(sent.packet, 7);
    const retransmit = retransmissions.retransmit(sent);
    expect(retransmit).toMatchObject({ numbered: true, carries: sent.carries });
    stampTransportSequence(retransmit.packet, 8);
    expect([sent.packet, retransmit.packet].map(transportSequenceOf)).toEqual([7, 8]);
  });

  it('is the packet itself for a client that takes none', () => {
    const { retransmissions, sent } = streams({ accepted: false });
    expect(retransmissions.retransmit(sent)).toBe(sent);
    expect(retransmissions.pad(500, 0)).toEqual([]);
  });
});

it('padding carries nothing and takes at least as much room as asked for', () => {
  const { retransmissions } = streams({ accepted: true });
  const packets = retransmissions.pad(600, 90_000);
  expect(packets.map(({ carries }) => carries)).toEqual([null, null, null]);
  expect(
    packets
      .map(({ packet }) => parseRtp(packet)!)
      .every(({ payload, ssrc }) => payload.length === 0 && ssrc === retransmissions.ssrc),
  ).toBe(true);
  expect(packets.reduce((sum, { packet }) => sum + packet.length, 0)).toBeGreaterThanOrEqual(600);
});
