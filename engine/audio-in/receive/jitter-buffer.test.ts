import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AudioPacket } from '../../media/media-types.ts';
import { JitterBuffer } from './jitter-buffer.ts';

function packet(sequence: number, arrivedAt: number): AudioPacket {
  return { payload: new Uint8Array(1), sequence, timestamp: 0, arrivedAt };
}

/** Pushes sequence numbers 20 ms apart. @returns the numbers that came out, with a bar before each restart. */
function order(sequences: readonly number[]): (number | string)[] {
  const buffer = new JitterBuffer();
  return sequences.flatMap((sequence, index) =>
    buffer
      .push(packet(sequence, index * 20))
      .flatMap(({ packet: { sequence }, follows }) => (follows === 'restart' ? ['|', sequence] : [sequence])),
  );
}

describe('packets out of order', () => {
  test('pass at once when they are in order', () => {
    expect(order([7, 8, 9])).toEqual(['|', 7, 8, 9]);
  });

  test('wait for the missing one', () => {
    expect(order([7, 9, 8, 10])).toEqual(['|', 7, 8, 9, 10]);
  });

  test('count on after 65535', () => {
    expect(order([65_534, 0, 65_535, 1])).toEqual(['|', 65_534, 65_535, 0, 1]);
  });

  test('are dropped when they come twice or too late', () => {
    expect(order([7, 8, 8, 7, 9, 9])).toEqual(['|', 7, 8, 9]);
  });

  test('do not wait for more than a handful', () => {
    expect(order([1, 3, 4, 5, 6, 7, 8])).toEqual(['|', 1, 3, 4, 5, 6, 7, 8]);
  });

  test('do not wait for longer than the longest hold', () => {
    const buffer = new JitterBuffer();
    buffer.push(packet(1, 0));
    buffer.push(packet(3, 40));
    expect(buffer.expire(90)).toEqual([]);
    expect(buffer.expire(100).map(({ packet: { sequence } }) => sequence)).toEqual([3]);
    expect(buffer.push(packet(2, 110))).toEqual([]);
    expect(buffer.push(packet(4, 120)).map(({ packet: { sequence } }) => sequence)).toEqual([4]);
  });

  test('start anew after a jump', () => {
    expect(order([7, 8, 9_000, 9_001, 100])).toEqual(['|', 7, 8, '|', 9_000, 9_001, '|', 100]);
  });

  test('start anew when the sender counts on from a little earlier', () => {
    const out = order([300, ...Array.from({ length: 15 }, (_, i) => 200 + i)]);
    expect(out).toEqual(['|', 300, '|', 209, 210, 211, 212, 213, 214]);
  });

  test('come out once, rising, and all of them when none is lost and few are exchanged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 65_535 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 80 }),
        (start, delays) => {
          const sent = delays.map((delay, index) => ({ index, at: index + delay })).toSorted((a, b) => a.at - b.at);
          // The first packet decides where the count begins.
          const first = { index: -1, at: -1 };
          const out = order([first, ...sent].map(({ index }) => (start + index + 65_536) % 65_536));
          expect(out.slice(1)).toEqual([-1, ...delays.keys()].map((index) => (start + index + 65_536) % 65_536));
        },
      ),
    );
  });

  test('do not wait longer because there are two gaps before them', () => {
    const buffer = new JitterBuffer();
    buffer.push(packet(100, 0));
    buffer.push(packet(104, 20));
    buffer.push(packet(102, 40));
    expect(buffer.expire(80).map(({ packet: { sequence } }) => sequence)).toEqual([102, 104]);
  });

  test('come out at most once and never wait for long, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: 100, max: 120 })), { maxLength: 200 }),
        (sequences) => {
          const buffer = new JitterBuffer();
          const out = sequences.flatMap((sequence, index) =>
            [...buffer.push(packet(sequence, index * 20)), ...buffer.expire(index * 20)].map(
              ({ packet: { arrivedAt } }) => ({
                item: arrivedAt / 20,
                waited: index - arrivedAt / 20,
              }),
            ),
          );
          expect(new Set(out.map(({ item }) => item)).size).toBe(out.length);
          for (const { waited } of out) expect(waited).toBeLessThanOrEqual(3);
        },
      ),
    );
  });
});
