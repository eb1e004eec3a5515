import { setImmediate as soon } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DecoderPool } from './decoder-pool.ts';
import type { Decoder } from './pocketsphinx-library.ts';

function opened(most: number) {
  const counted = { made: 0, freed: 0, told: 0, fails: false };
  const make = (): Decoder => {
    if (counted.fails) throw new Error('no memory');
    counted.made += 1;
    return { free: () => (counted.freed += 1) } as unknown as Decoder;
  };
  const pool = new DecoderPool({ make, makeBeside: async () => make() }, most, () => (counted.told += 1));
  return { pool, counted };
}

// Two were made at the start: 85 MB of an idle service for a second speaker who was not there.
it('has one decoder until somebody speaks, and then one more', async () => {
  const { pool, counted } = opened(4);
  expect(counted.made).toBe(1);
  expect(pool.take()).not.toBeNull();
  await soon();
  expect(counted).toMatchObject({ made: 2, told: 1 });
});

it('tells who waits when a decoder is free, and makes no more than allowed', async () => {
  const { pool, counted } = opened(2);
  const first = pool.take();
  expect(pool.take()).toBeNull();
  await soon();
  expect(counted.told).toBe(1);
  expect(pool.take()).not.toBeNull();
  expect(pool.take()).toBeNull();
  await soon();
  expect(counted.made).toBe(2);
  pool.put(first!);
  expect(counted.told).toBe(2);
  expect(pool.take()).toBe(first);
});

it('frees what the next speaker does not need, and makes it again', async () => {
  const { pool, counted } = opened(4);
  const first = pool.take();
  await soon();
  pool.put(first!);
  pool.keepOne();
  expect(counted.freed).toBe(1);
  pool.take();
  await soon();
  expect(counted.made).toBe(3);
});

it('goes on with those that it has when there is no memory for one more', async () => {
  const { pool, counted } = opened(4);
  counted.fails = true;
  const first = pool.take();
  await soon();
  expect(pool.take()).toBeNull();
  await soon();
  pool.put(first!);
  expect(pool.take()).toBe(first);
});
