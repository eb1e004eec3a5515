import { expect, it } from 'vitest';
import { SimulatedTimers } from '../../audio-out/testing/simulated-timers.ts';
import { BATCH_MS, PacketBatch, unpackPackets, type PackedPackets } from './packet-batch.ts';

const packet = (sequence: number, payload: Uint8Array = Uint8Array.of(sequence, 7)) => ({
  payload,
  sequence,
  timestamp: 960 * sequence,
  arrivedAt: 1_000.25 + sequence,
});

function batching() {
  const timers = new SimulatedTimers();
  const sent: [number, ReturnType<typeof packet>][][] = [];
  const batch = new PacketBatch((packed: PackedPackets) => {
    const packets: (typeof sent)[number] = [];
    unpackPackets(packed, (session, each) => packets.push([session, each as ReturnType<typeof packet>]));
    sent.push(packets);
  }, timers);
  return { timers, batch, sent };
}

it('sends a single packet at once', () => {
  const { batch, sent } = batching();
  batch.add(3, packet(1));
  expect(sent).toEqual([[[3, packet(1)]]]);
});

it('sends what follows within 4 ms in one message, in order', async () => {
  const { timers, batch, sent } = batching();
  batch.add(3, packet(1));
  batch.add(4, packet(9));
  batch.add(3, packet(2));
  expect(sent).toHaveLength(1);
  await timers.advance(BATCH_MS);
  expect(sent[1]).toEqual([
    [4, packet(9)],
    [3, packet(2)],
  ]);
});

it('sends at once when something else has to come after it', () => {
  const { batch, sent } = batching();
  batch.add(3, packet(1));
  batch.add(3, packet(2));
  batch.flush();
  batch.flush();
  expect(sent.map((packets) => packets.length)).toEqual([1, 1]);
});

it('keeps no memory of the packet', async () => {
  const { timers, batch, sent } = batching();
  const lent = Uint8Array.of(5);
  batch.add(1, packet(1));
  batch.add(1, packet(2, lent));
  lent[0] = 6;
  await timers.advance(BATCH_MS);
  expect(sent[1]?.[0]?.[1].payload).toEqual(Uint8Array.of(5));
});

it('sends a full batch without waiting', () => {
  const { batch, sent } = batching();
  for (let sequence = 0; sequence < 100; sequence += 1) batch.add(1, packet(sequence, new Uint8Array(1_500)));
  expect(sent.length).toBeGreaterThan(1);
});
