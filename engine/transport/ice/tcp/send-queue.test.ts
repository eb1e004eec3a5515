import { expect, it } from 'vitest';
import { SendQueue, WAITING_BYTES } from './send-queue.ts';

/** A packet whose first byte tells it apart. */
const packet = (number: number, bytes = 1_000): Buffer => Buffer.alloc(bytes, number);

function drained(queue: SendQueue): number[] {
  const numbers: number[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) numbers.push(next[0]!);
  return numbers;
}

it('sends sound before video that waits, and each kind in its order', () => {
  const queue = new SendQueue();
  for (const [number, kind] of [
    [1, 'video'],
    [2, 'other'],
    [3, 'video'],
    [4, 'other'],
  ] as const)
    queue.push(packet(number), kind);
  expect(drained(queue)).toEqual([2, 4, 1, 3]);
  expect(queue.isEmpty).toBe(true);
});

it('drops the oldest video of a client that reads too slowly, and keeps its sound', () => {
  const queue = new SendQueue();
  queue.push(packet(200, 100), 'other');
  const fits = Math.floor(WAITING_BYTES.video / 1_000);
  for (let number = 0; number < fits + 10; number++) queue.push(packet(number), 'video');
  expect(drained(queue)).toEqual([200, ...Array.from({ length: fits }, (_, index) => index + 10)]);
});

it('never holds more than its limits, whatever comes', () => {
  const queue = new SendQueue();
  for (let number = 0; number < 10_000; number++) queue.push(packet(0, 1_200), number % 3 === 0 ? 'other' : 'video');
  let bytes = 0;
  for (let next = queue.take(); next !== null; next = queue.take()) bytes += next.length;
  expect(bytes).toBeLessThanOrEqual(WAITING_BYTES.video + WAITING_BYTES.other);
});
