import { describe, expect, it, vi } from 'vitest';
import { BurstPacer } from './burst-pacer.ts';
import { AudioTime, ntpTime, VideoTime } from './media-time.ts';
import { parseRtp, sequenceDistance } from './rtp-packet.ts';
import { SendStream } from './send-stream.ts';

const KEPT_PACKETS = 1_024;

const payload = (text: string): Uint8Array => Buffer.from(text);
const format = { payloadType: 96, transportSequenceId: null };

describe('a stream', () => {
  it('numbers its packets, marks the last of a frame, and counts them', () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure(format);
    const sent = stream.write([payload('a'), payload('bc')], 1_000, true, 1_000).map(({ packet }) => parseRtp(packet)!);
    expect(sequenceDistance(sent[0]!.sequence, sent[1]!.sequence)).toBe(1);
    expect(sent.map((packet) => packet.marker)).toEqual([false, true]);
    expect(sent[0]!.timestamp).toBe(sent[1]!.timestamp);
    expect(stream.counts).toEqual({ ssrc: sent[0]!.ssrc, packets: 2, octets: 3 });
  });

  it('sends nothing while the client has not accepted it', () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    expect(stream.write([payload('a')], 0, true, 0)).toEqual([]);
    stream.configure(format);
    stream.configure(null);
    expect(stream.write([payload('a')], 0, true, 0)).toEqual([]);
  });

  it('goes on with its numbers when it is configured again', () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure(format);
    const [first] = stream.write([payload('a')], 0, true, 0);
    stream.configure({ payloadType: 100, transportSequenceId: 3 });
    const [second] = stream.write([payload('b')], 40, true, 40);
    expect(sequenceDistance(parseRtp(first!.packet)!.sequence, parseRtp(second!.packet)!.sequence)).toBe(1);
    expect(parseRtp(second!.packet)).toMatchObject({ payloadType: 100, ssrc: stream.ssrc });
    expect(second!.numbered).toBe(true);
  });

  it('repeats a lost packet, but neither in a hurry nor for ever', () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure(format);
    const [sent] = stream.write([payload('a')], 0, true, 0);
    const { sequence } = parseRtp(sent!.packet)!;
    expect(stream.retransmit(sequence, 10)?.packet).toEqual(sent!.packet);
    expect(stream.retransmit(sequence, 20)).toBeNull();
    expect(stream.retransmit(sequence, 100)).not.toBeNull();
    expect(stream.retransmit(sequence, 200)).not.toBeNull();
    expect(stream.retransmit(sequence, 10_000)).toBeNull();
    expect(stream.retransmit((sequence + 1) & 0xffff, 10_000)).toBeNull();
  });
});

describe('a retransmission that was lost, too', () => {
  /** A stream, and the number of a packet in it that left under the transport-wide number 7. */
  function sent() {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure({ payloadType: 96, transportSequenceId: 3 });
    const sequence = stream.write([payload('a')], 0, true, 0)[0]!.carries!;
    stream.left(sequence, 7);
    return { stream, sequence };
  }

  it('goes out again at once when its number is reported as lost', () => {
    const { stream, sequence } = sent();
    expect(stream.retransmitLost(sequence, 7, 100)).not.toBeNull();
    stream.left(sequence, 9);
    expect(stream.retransmitLost(sequence, 9, 110)).not.toBeNull();
  });

  it('does not while a later copy is on its way', () => {
    const { stream, sequence } = sent();
    stream.retransmit(sequence, 90);
    stream.left(sequence, 9);
    expect(stream.retransmitLost(sequence, 7, 100)).toBeNull();
  });

  it('does not when another copy has arrived, nor for a client that asked before it did', () => {
    const { stream, sequence } = sent();
    stream.retransmit(sequence, 90);
    stream.left(sequence, 9);
    stream.arrived(sequence);
    expect(stream.retransmitLost(sequence, 9, 100)).toBeNull();
    expect(stream.retransmit(sequence, 1_000)).toBeNull();
  });

  it('is not told by number where packets have none', () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure(format);
    const sequence = stream.write([payload('a')], 0, true, 0)[0]!.carries!;
    expect(stream.retransmitLost(sequence, 7, 100)).toBeNull();
  });
});

describe('a retransmission before anybody asks', () => {
  const sent = () => {
    const stream = new SendStream(new VideoTime(), KEPT_PACKETS);
    stream.configure(format);
    return { stream, sequence: stream.write([payload('a')], 0, true, 0)[0]!.carries! };
  };

  it('goes out once, and a request that crossed it brings no other', () => {
    const { stream, sequence } = sent();
    expect(stream.retransmitProactively(sequence, 20)).not.toBeNull();
    expect(stream.retransmitProactively(sequence, 40)).toBeNull();
    expect(stream.retransmit(sequence, 120, 140)).toBeNull();
    expect(stream.retransmit(sequence, 170, 140)).not.toBeNull();
  });

  it('does not for what has arrived or was asked for', () => {
    const { stream, sequence } = sent();
    stream.arrived(sequence);
    expect(stream.retransmitProactively(sequence, 20)).toBeNull();
    const asked = sent();
    asked.stream.retransmit(asked.sequence, 10);
    expect(asked.stream.retransmitProactively(asked.sequence, 20)).toBeNull();
  });
});

describe('the time of sound', () => {
  it('moves by whole packets although the pacer shifts by some ms', () => {
    const time = new AudioTime();
    const timestamps = [0, 20, 47, 67].map((at) => time.next(at));
    expect(timestamps.map((timestamp) => (timestamp - timestamps[0]!) >>> 0)).toEqual([0, 960, 1_920, 2_880]);
    // The report tells where the last packet really is.
    expect((time.at(67) - timestamps[3]!) >>> 0).toBe(0);
    expect((time.at(77) - timestamps[3]!) >>> 0).toBe(480);
  });

  it('leaves room for a real gap', () => {
    const time = new AudioTime();
    const first = time.next(0);
    expect((time.next(1_020) - first) >>> 0).toBe(960 * 51);
  });

  it.each([1, 2, 3])(
    'leaves room for %i packets that were left out after a stall, so that the video stays with the sound',
    (left) => {
      const time = new AudioTime();
      const first = time.next(0);
      expect((time.next(20 * (left + 1)) - first) >>> 0).toBe(960 * (left + 1));
    },
  );
});

it('the time of frames runs at 90 kHz', () => {
  const time = new VideoTime();
  expect((time.next(1_040) - time.next(1_000)) >>> 0).toBe(3_600);
});

it('writes engine time as NTP does', () => {
  expect(ntpTime(500)).toEqual({ seconds: 2_208_988_800, fraction: 2 ** 31 });
});

describe('a burst', () => {
  it('leaves in small groups and in order', () => {
    vi.useFakeTimers();
    const left: number[] = [];
    const pacer = new BurstPacer<number>((packet) => left.push(packet));
    pacer.push(Array.from({ length: 25 }, (_, n) => n));
    expect(left).toHaveLength(10);
    pacer.push([25]);
    expect(left).toHaveLength(10);
    vi.runAllTimers();
    expect(left).toEqual(Array.from({ length: 26 }, (_, n) => n));
    pacer.push([26]);
    expect(left.at(-1)).toBe(26);
    vi.useRealTimers();
  });

  it('that is dropped leaves no more', () => {
    vi.useFakeTimers();
    const left: number[] = [];
    const pacer = new BurstPacer<number>((packet) => left.push(packet));
    pacer.push(Array.from({ length: 25 }, (_, n) => n));
    pacer.clear();
    vi.runAllTimers();
    expect(left).toHaveLength(10);
    vi.useRealTimers();
  });
});
