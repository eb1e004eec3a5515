import { describe, expect, it } from 'vitest';
import { PacketMemory } from './packet-memory.ts';

const KEPT_MS = 5_000;
const PACKET_BYTES = 1_000;

/** @returns packets made at these times, in blocks of 32. */
const packetsAt = (memory: PacketMemory, times: readonly number[]): Buffer[] =>
  times.map((at, index) => memory.allocate(PACKET_BYTES, at).fill(index));

const blocksOf = (packets: readonly Buffer[]): number => new Set(packets.map(({ buffer }) => buffer)).size;

describe('the memory of packets', () => {
  it('keeps each packet as it is while it may be asked for', () => {
    const memory = new PacketMemory(KEPT_MS);
    const packets = packetsAt(
      memory,
      Array.from({ length: 200 }, (_, index) => index * 20),
    );
    packets.forEach((packet, index) => expect(packet.every((byte) => byte === index)).toBe(true));
  });

  it('is written again, so a stream that goes on takes no more of it', () => {
    const memory = new PacketMemory(KEPT_MS);
    // Of 20 s, 5 s are kept, and the block that is written.
    const packets = packetsAt(
      memory,
      Array.from({ length: 1_000 }, (_, index) => index * 20),
    );
    expect(blocksOf(packets)).toBe(Math.ceil(KEPT_MS / 20 / 32) + 1);
  });

  it('of a burst is given back', () => {
    const memory = new PacketMemory(KEPT_MS);
    packetsAt(
      memory,
      Array.from({ length: 1_000 }, () => 0),
    );
    const later = packetsAt(
      memory,
      Array.from({ length: 200 }, (_, index) => KEPT_MS + index),
    );
    const muchLater = packetsAt(
      memory,
      Array.from({ length: 64 }, () => 10 * KEPT_MS),
    );
    expect(blocksOf(later)).toBe(Math.ceil(200 / 32));
    expect(blocksOf([...later, ...muchLater])).toBe(blocksOf(later) + 1);
  });
});
