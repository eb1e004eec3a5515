import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depacketizeH264, depacketizeVp8 } from '../testing/depacketize.ts';
import { splitAnnexB } from '../../media/annex-b.ts';
import { packetizeH264 } from './packetize-h264.ts';
import { packetizeVp8 } from './packetize-vp8.ts';
import { MAX_PAYLOAD_BYTES } from './rtp-packet.ts';
import { parseRtp, sequenceDistance, stampTransportSequence, writeRtp } from './rtp-packet.ts';

const START = Uint8Array.of(0, 0, 0, 1);
const unit = (type: number, bytes: number): Buffer =>
  Buffer.concat([Uint8Array.of(0x60 | type), Buffer.alloc(bytes - 1, 0xab)]);
const annexB = (...units: Uint8Array[]): Buffer => Buffer.concat(units.flatMap((one) => [START, one]));

describe('H.264', () => {
  it('comes out of its packets as it went in, in packets that fit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 8_000 }), { minLength: 1, maxLength: 5 }), (sizes) => {
        const units = [unit(7, 20), unit(8, 6), ...sizes.map((size) => unit(5, size))];
        const payloads = packetizeH264(annexB(...units));
        expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
        expect(depacketizeH264(payloads)).toEqual(units);
      }),
    );
  });

  it('sends parameter sets in one packet and leaves delimiters out', () => {
    const payloads = packetizeH264(annexB(unit(9, 2), unit(7, 20), unit(8, 6), unit(5, 100)));
    expect(payloads.map((payload) => payload[0]! & 0x1f)).toEqual([24, 5]);
  });

  it('splits streams with short and long start codes', () => {
    const stream = Buffer.from([0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 0, 1, 0x65, 0, 0, 3, 1]);
    expect(splitAnnexB(stream).map((one) => [...one])).toEqual([
      [0x67, 1],
      [0x68, 2],
      [0x65, 0, 0, 3, 1],
    ]);
    expect(splitAnnexB(Buffer.from([1, 2, 3, 4, 5]))).toEqual([]);
  });
});

it('VP8 carries the video ID in every packet and marks the first', () => {
  const frame = Buffer.from(Array.from({ length: 3_000 }, (_, n) => n & 0xff));
  const payloads = packetizeVp8(frame, 0x1234).map((payload) => Buffer.from(payload));
  expect(payloads.map((payload) => payload[0])).toEqual([0x90, 0x80, 0x80]);
  for (const payload of payloads) {
    expect([payload[1], payload.readUInt16BE(2) & 0x7fff]).toEqual([0x80, 0x1234]);
    expect(payload.length).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  }
  expect(depacketizeVp8(payloads)).toEqual(frame);
});

describe('RTP', () => {
  const delay = { id: 6, minMs: 60, maxMs: 10_000 };
  it.each([
    [{ transportSequenceId: null }, []],
    [{ transportSequenceId: 5 }, [0xbe, 0xde, 0, 1, 0x51, 0xab, 0xcd, 0]],
    [{ transportSequenceId: null, playoutDelay: delay }, [0xbe, 0xde, 0, 1, 0x62, 0x00, 0x63, 0xe8]],
    [{ transportSequenceId: 5, playoutDelay: delay }, [0xbe, 0xde, 0, 2, 0x51, 0xab, 0xcd, 0, 0x62, 0x00, 0x63, 0xe8]],
  ])('is read as it was written, with extensions %j', (extensions, bytes) => {
    const header = { marker: true, payloadType: 102, sequence: 65_535, timestamp: 4_000_000_000, ssrc: 0xdeadbeef };
    const packet = writeRtp(header, Buffer.from('payload'), extensions);
    if (extensions.transportSequenceId !== null) stampTransportSequence(packet, 0xabcd);
    expect(packet.subarray(12, 12 + bytes.length)).toEqual(Buffer.from(bytes));
    expect(parseRtp(packet)).toEqual({ ...header, payload: Buffer.from('payload') });
  });

  it('skips contributing sources and padding', () => {
    const packet = Buffer.concat([
      Buffer.from([0xa1, 111, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 9, 9, 9, 9]),
      Buffer.from('ab'),
      Buffer.from([0, 0, 3]),
    ]);
    expect(parseRtp(packet)?.payload.toString()).toBe('ab');
  });

  it('survives whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const parsed = parseRtp(Buffer.from(bytes));
        expect(parsed === null || parsed.payload.length <= bytes.length).toBe(true);
      }),
    );
  });

  it('counts across the wrap of sequence numbers', () => {
    expect(sequenceDistance(65_535, 2)).toBe(3);
    expect(sequenceDistance(2, 65_535)).toBe(-3);
  });
});
