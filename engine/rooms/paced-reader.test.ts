import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PacedReader } from './paced-reader.ts';

const message = (bytes: number, first = 0): Uint8Array => new Uint8Array(bytes).fill(first, 0, 1);

/** Seven hundred messages of half a second took the thread that paces media for 0.3 s: they came in one turn. */
it('reads what comes at once in many turns, in its order', async () => {
  const read: number[] = [];
  const turns = new PacedReader((bytes) => read.push(bytes[0]!));
  for (let at = 0; at < 100; at += 1) turns.push(message(48_000, at));
  expect(read).toEqual([]);
  const after: number[] = [];
  while (read.length < 100) {
    await nextTurn();
    after.push(read.length);
  }
  expect(after.length).toBeGreaterThanOrEqual(50);
  expect(read).toEqual(Array.from({ length: 100 }, (_, at) => at));
});

it('reads a few dozen short ones in a turn', async () => {
  let read = 0;
  const turns = new PacedReader(() => (read += 1));
  for (let at = 0; at < 1_000; at += 1) turns.push(message(10));
  await nextTurn();
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(100);
  while (read < 1_000) await nextTurn();
});

it('reads what comes while it reads, and nothing after its end', async () => {
  const read: number[] = [];
  const turns = new PacedReader((bytes) => {
    read.push(bytes[0]!);
    if (bytes[0] === 1) turns.push(message(10, 2));
    if (bytes[0] === 2) turns.close();
  });
  turns.push(message(10, 1));
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(read).toEqual([1, 2]);
  turns.push(message(10, 3));
  turns.push(message(10, 4));
  turns.close();
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(read).toEqual([1, 2]);
});
