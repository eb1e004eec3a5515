import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyframeRequests } from './keyframe-requests.ts';
import { parseFeedback } from './parse-feedback.ts';
import { Reception } from './reception.ts';
import { writeReports } from './write-reports.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('feedback', () => {
  it('reads which packets are missing', () => {
    expect(parseFeedback(hex('81cd0003 00000001 0000abcd fffe0005'))).toEqual([
      { type: 'nack', media: 0xabcd, sequences: [65_534, 65_535, 1] },
    ]);
  });

  it('reads both ways to ask for a keyframe', () => {
    expect(parseFeedback(hex('81ce0002 00000001 0000abcd 84ce0004 00000001 00000000 0000abcd 05000000'))).toEqual([
      { type: 'keyframe-request', media: 0xabcd },
      { type: 'keyframe-request', media: 0xabcd },
    ]);
  });

  it('reads the limit of a receiver', () => {
    // Exponent 3, mantissa 125,000.
    expect(parseFeedback(hex('8fce0005 00000001 00000000 52454d42 010de848 0000abcd'))).toEqual([
      { type: 'max-bitrate', bitsPerSecond: 1_000_000 },
    ]);
  });

  it('reads arrivals: runs, vectors, small and large steps, missing packets', () => {
    // Base 65,534, five packets, reference 2 * 64 ms: a run of two small steps, then a two-bit vector: missing, large,
    // small.
    const packet = hex('8fcd0007 00000001 0000abcd fffe0005 00000201 2002 c900 04 08 fff0 04 000000');
    expect(parseFeedback(packet)).toEqual([
      {
        type: 'transport',
        feedback: {
          packets: [
            { sequence: 65_534, receivedAt: 129 },
            { sequence: 65_535, receivedAt: 131 },
            { sequence: 0, receivedAt: null },
            { sequence: 1, receivedAt: 127 },
            { sequence: 2, receivedAt: 128 },
          ],
        },
      },
    ]);
  });

  it('reads one-bit vectors', () => {
    const packet = hex('8fcd0005 00000001 0000abcd 00000003 00000000 a800 04 04');
    expect(parseFeedback(packet)).toMatchObject([
      { feedback: { packets: [{ receivedAt: 1 }, { receivedAt: null }, { receivedAt: 2 }] } },
    ]);
  });

  it('survives whatever comes', () => {
    const packets = fc.tuple(
      fc.constantFrom(200, 201, 205, 206),
      fc.integer({ min: 0, max: 31 }),
      fc.uint8Array({ maxLength: 60 }),
    );
    fc.assert(
      fc.property(packets, ([type, format, body]) => {
        const packet = Buffer.concat([Buffer.from([0x80 | format, type, 0, Math.floor(body.length / 4)]), body]);
        for (const feedback of parseFeedback(packet))
          if (feedback.type === 'nack') expect(feedback.sequences.length).toBeLessThanOrEqual(17 * 15);
      }),
    );
  });
});

describe('reports', () => {
  const video = { ssrc: 0x11, packets: 10, octets: 1_000, timestamp: 90_000 };
  const audio = { ssrc: 0x22, packets: 20, octets: 2_000, timestamp: 48_000 };

  it('tie both streams to one clock and one name', () => {
    const compound = writeReports({ now: 1_500, cname: 'abc', streams: [video, audio], received: null })!;
    const parsed = parseFeedback(compound);
    expect(parsed).toMatchObject([
      { type: 'sender-report', ssrc: 0x11 },
      { type: 'sender-report', ssrc: 0x22 },
    ]);
    const [first, second] = parsed as { ntpMiddle: number }[];
    expect(first!.ntpMiddle).toBe(second!.ntpMiddle);
    expect([compound.readUInt32BE(16), compound.readUInt32BE(28 + 16)]).toEqual([90_000, 48_000]);
    expect(compound[57]).toBe(202);
    expect(compound.toString('latin1').match(/abc/g)).toHaveLength(2);
    expect(compound.length % 4).toBe(0);
  });

  it('say what was received of the microphone, also before anything was sent', () => {
    const reception = new Reception(0x33, 48_000, 1);
    for (const sequence of [1, 2, 4]) reception.packet(sequence, sequence * 960, sequence * 20);
    const received = reception.report(100);
    const blocks = [{ ssrc: 0x33, fractionLost: 0.25 }];
    expect(parseFeedback(writeReports({ now: 0, cname: 'abc', streams: [video, audio], received })!)).toMatchObject([
      { blocks },
      { blocks: [] },
    ]);
    expect(
      parseFeedback(writeReports({ now: 0, cname: 'abc', streams: [{ ...video, packets: 0 }], received })!),
    ).toMatchObject([{ type: 'receiver-report', blocks }]);
    expect(writeReports({ now: 0, cname: 'abc', streams: [{ ...video, packets: 0 }], received: null })).toBeNull();
  });
});

describe('what is received', () => {
  it('is counted from report to report, across the wrap of sequence numbers', () => {
    const reception = new Reception(1, 48_000, 65_534);
    for (const sequence of [65_534, 65_535, 1]) reception.packet(sequence, 0, 0);
    expect(reception.report(0)).toMatchObject({ fractionLost: 0.25, lost: 1, highestSequence: 65_537 });
    for (const sequence of [2, 3]) reception.packet(sequence, 0, 0);
    expect(reception.report(0)).toMatchObject({ fractionLost: 0, lost: 1 });
  });

  it('names the sender report that it answers', () => {
    const reception = new Reception(1, 48_000, 0);
    expect(reception.report(0)).toMatchObject({ lastSenderReport: 0, sinceSenderReport: 0 });
    reception.senderReport(0xabcdef, 1_000);
    expect(reception.report(1_500)).toMatchObject({ lastSenderReport: 0xabcdef, sinceSenderReport: 32_768 });
  });

  it('has no jitter when packets come as evenly as they were sent', () => {
    const even = new Reception(1, 48_000, 0);
    const uneven = new Reception(1, 48_000, 0);
    for (let n = 0; n < 50; n++) {
      even.packet(n, n * 960, n * 20);
      uneven.packet(n, n * 960, n * 20 + (n % 2) * 10);
    }
    expect(even.report(0).jitter).toBe(0);
    expect(uneven.report(0).jitter).toBeGreaterThan(100);
  });
});

it('a keyframe is asked for once, however often the receiver asks', () => {
  const requests = new KeyframeRequests();
  expect([0, 50, 200, 299, 300, 310].map((at) => requests.take(at))).toEqual([true, false, false, false, true, false]);
});
