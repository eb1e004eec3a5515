import { describe, expect, it } from 'vitest';
import { MediaSender } from './media-sender.ts';
import { sequenceOf, transportSequenceOf as numberOf } from './rtp/rtp-packet.ts';

const TRANSPORT_SEQUENCE_ID = 3;

/** A sender whose packets are kept, as they were when they left. */
function videoSender() {
  const packets: Buffer[] = [];
  let now = 1_000;
  const sender = new MediaSender({
    transmit: (packet) => packets.push(Buffer.from(packet)),
    keyframeRequested: () => {}, bitrateEstimated: () => {}, soundLost: () => {}, now: () => now,
  });
  sender.configure({ audio: null, channelMid: null, video: { mid: '0', codec: 'vp8', payloadType: 96, parameters: null, transportSequenceId: TRANSPORT_SEQUENCE_ID, playoutDelayId: null } });
  return {
    sender, packets,
    picture(at: number): Buffer {
      now = at;
      sender.sendVideo({ data: new Uint8Array(100), keyframe: false, at });
      return packets.at(-1)!;
    },
    /** The client reports these numbers, null as lost. */
    reports(at: number, received: readonly (readonly [number, number | null])[]) {
      now = at;
      sender.heard({ type: 'transport', feedback: { packets: received.map(([sequence, receivedAt]) => ({ sequence, receivedAt })) } });
    },
    asksFor(at: number, sequence: number) {
      now = at;
      sender.heard({ type: 'nack', media: sender.videoSsrc, sequences: [sequence] });
    },
  };
}

describe('a lost picture', () => {
  it('is repeated as soon as it is reported as lost, twice under one number, and not again when it is asked for, too', () => {
    const { packets, picture, reports, asksFor } = videoSender();
    const lost = picture(1_000);
    const next = picture(1_040);
    reports(1_150, [[numberOf(lost), null], [numberOf(next), 1_090]]);
    const copies = packets.slice(2);
    expect(copies.map(sequenceOf)).toEqual([sequenceOf(lost), sequenceOf(lost)]);
    expect(new Set(copies.map(numberOf))).toEqual(new Set([numberOf(next) + 1]));
    asksFor(1_160, sequenceOf(lost));
    expect(packets).toHaveLength(4);
  });

  it('is repeated once more when both copies are reported as lost: the client asks again only a round trip later', () => {
    const { packets, picture, reports, asksFor } = videoSender();
    const lost = picture(1_000);
    const next = picture(1_040);
    asksFor(1_140, sequenceOf(lost));
    const copy = packets.at(-1)!;
    const later = picture(1_160);
    reports(1_250, [[numberOf(lost), null], [numberOf(next), 1_090], [numberOf(copy), null], [numberOf(later), 1_210]]);
    expect(packets.slice(-2).map(sequenceOf)).toEqual([sequenceOf(lost), sequenceOf(lost)]);
    expect(numberOf(packets.at(-1)!)).toBe(numberOf(later) + 1);
  });

  it('is not repeated for a client that asks again too soon while packets wait: they would wait longer', () => {
    const { packets, picture, reports, asksFor } = videoSender();
    const first = picture(1_000);
    const lost = picture(1_040);
    reports(1_090, [[numberOf(first), 1_040]]);
    const late = picture(1_240);
    reports(1_500, [[numberOf(late), 1_400]]);
    const copies = (): number => packets.filter((packet) => sequenceOf(packet) === sequenceOf(lost)).length - 1;
    asksFor(1_510, sequenceOf(lost));
    expect(copies()).toBe(2);
    asksFor(1_700, sequenceOf(lost));
    expect(copies()).toBe(2);
    asksFor(2_040, sequenceOf(lost));
    expect(copies()).toBe(4);
  });
});
