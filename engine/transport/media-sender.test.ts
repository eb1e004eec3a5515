import { describe, expect, it, vi } from 'vitest';
import { systemTimers } from '../../runtime/clock.ts';
import { MediaSender } from './media-sender.ts';
import { parseRtp, sequenceOf, transportSequenceOf as numberOf } from './rtp/rtp-packet.ts';

const TRANSPORT_SEQUENCE_ID = 3;

/**
 * A sender whose packets are kept as they were sent. @param options.retransmissions whether the client accepts a
 * separate stream of retransmissions.
 */
function videoSender(options: { retransmissions: boolean } = { retransmissions: true }) {
  const packets: Buffer[] = [];
  const keyframeRequested = vi.fn();
  let now = 1_000;
  const sender = new MediaSender(
    {
      transmit: (packet) => packets.push(Buffer.from(packet)),
      keyframeRequested,
      bitrateEstimated: () => {},
      audioLost: () => {},
    },
    {},
    { ...systemTimers, now: () => now },
  );
  sender.configure({
    channelMid: null,
    audio: { mid: '1', payloadType: 111, direction: 'sendrecv' },
    video: {
      mid: '0',
      codec: 'vp8',
      payloadType: 96,
      rtxPayloadType: options.retransmissions ? 97 : null,
      parameters: null,
      feedback: ['transport-cc', 'nack'],
      transportSequenceId: TRANSPORT_SEQUENCE_ID,
      playoutDelayId: null,
    },
  });
  return {
    sender,
    packets,
    keyframeRequested,
    frame(at: number): Buffer {
      now = at;
      sender.sendVideo({ data: new Uint8Array(100), keyframe: true, at });
      return packets.at(-1)!;
    },
    audio(at: number): Buffer {
      now = at;
      const before = packets.length;
      sender.sendAudio({ data: new Uint8Array(50), at });
      return packets[before]!;
    },
    /** The client reports these numbers; null: lost. */
    reports(at: number, received: readonly (readonly [number, number | null])[]) {
      now = at;
      sender.heard({
        type: 'transport',
        feedback: { packets: received.map(([sequence, receivedAt]) => ({ sequence, receivedAt })) },
      });
    },
    asksFor(at: number, packet: Buffer) {
      now = at;
      sender.heard({ type: 'nack', media: parseRtp(packet)!.ssrc, sequences: [sequenceOf(packet)] });
    },
    /** What was sent again of this packet, in the RTX stream. */
    rtxOf(packet: Buffer): Buffer[] {
      return packets.filter((candidate) => {
        const { ssrc, payload } = parseRtp(candidate)!;
        return ssrc === sender.videoRtxSsrc && payload.length > 2 && payload.readUInt16BE(0) === sequenceOf(packet);
      });
    },
  };
}

describe('a lost frame', () => {
  it('is repeated as soon as it is reported as lost, once more a moment later, and not again when it is asked for, too', () => {
    const { frame, audio, reports, asksFor, rtxOf } = videoSender();
    const lost = frame(1_000);
    const next = frame(1_040);
    reports(1_150, [
      [numberOf(lost), null],
      [numberOf(next), 1_090],
    ]);
    expect(rtxOf(lost)).toHaveLength(1);
    audio(1_160);
    expect(rtxOf(lost).map(numberOf)).toEqual([numberOf(next) + 1, numberOf(next) + 2]);
    asksFor(1_165, lost);
    audio(1_180);
    expect(rtxOf(lost)).toHaveLength(2);
  });

  it('is not retransmitted once more when the first repeat has arrived by then', () => {
    const { frame, audio, reports, asksFor, rtxOf } = videoSender();
    const lost = frame(1_000);
    asksFor(1_100, lost);
    reports(1_110, [[numberOf(rtxOf(lost)[0]!), 1_105]]);
    audio(1_120);
    expect(rtxOf(lost)).toHaveLength(1);
  });

  it('is repeated again when all its copies are reported as lost: the client asks again only a round trip later', () => {
    const { frame, audio, reports, asksFor, rtxOf } = videoSender();
    const lost = frame(1_000);
    asksFor(1_140, lost);
    audio(1_150);
    const later = frame(1_160);
    const [first, second] = rtxOf(lost).map(numberOf) as [number, number];
    reports(1_250, [
      [numberOf(lost), null],
      [first, null],
    ]);
    expect(rtxOf(lost)).toHaveLength(2);
    reports(1_260, [
      [second, null],
      [numberOf(later), 1_210],
    ]);
    expect(rtxOf(lost)).toHaveLength(3);
  });

  it('is not retransmitted for a client that asks again while the retransmission is still on the way: what waits would wait longer', () => {
    const { frame, audio, reports, asksFor, rtxOf } = videoSender();
    const lost = frame(1_000);
    const late = frame(1_040);
    reports(1_300, [[numberOf(late), 1_240]]);
    asksFor(1_310, lost);
    audio(1_320);
    asksFor(1_500, lost);
    expect(rtxOf(lost)).toHaveLength(2);
    asksFor(1_640, lost);
    expect(rtxOf(lost)).toHaveLength(3);
  });

  it('is followed by a keyframe when it cannot be retransmitted any more: the client would wait for it until one is due', () => {
    const { frame, asksFor, rtxOf, keyframeRequested } = videoSender();
    const lost = frame(1_000);
    for (const at of [1_100, 1_200, 1_300]) asksFor(at, lost);
    expect(rtxOf(lost)).toHaveLength(3);
    asksFor(1_310, lost);
    expect(keyframeRequested).not.toHaveBeenCalled();
    asksFor(1_400, lost);
    expect(keyframeRequested).toHaveBeenCalledTimes(1);
    expect(rtxOf(lost)).toHaveLength(3);
  });

  it('is repeated in its own stream, and once, for a client that takes retransmissions only there', () => {
    const { packets, frame, audio, asksFor } = videoSender({ retransmissions: false });
    const lost = frame(1_000);
    asksFor(1_140, lost);
    const copy = packets.at(-1)!;
    expect(parseRtp(copy)).toEqual(parseRtp(lost));
    expect(numberOf(copy)).toBe(numberOf(lost) + 1);
    audio(1_160);
    expect(packets.filter((packet) => parseRtp(packet)!.ssrc === parseRtp(lost)!.ssrc)).toHaveLength(2);
  });
});

describe('the first video frame of a peer', () => {
  /** Frames still arrive here after a keyframe was requested: an encoder is a frame or two ahead. */
  it('is a keyframe: what depends on others is left out until then', () => {
    const { sender, packets } = videoSender();
    const send = (keyframe: boolean): number => {
      const before = packets.length;
      sender.sendVideo({ data: new Uint8Array(100), keyframe, at: 1_000 });
      return packets.length - before;
    };
    expect([false, false, true, false].map(send)).toEqual([0, 0, 1, 1]);
    sender.peerChanged();
    expect([false, true, false].map(send)).toEqual([0, 1, 1]);
  });
});

it('lost sound is repeated in its own stream: it had gone out as a frame', () => {
  const { packets, audio, asksFor } = videoSender();
  const lost = audio(1_000);
  asksFor(1_100, lost);
  expect(packets.at(-1)).toEqual(lost);
});
