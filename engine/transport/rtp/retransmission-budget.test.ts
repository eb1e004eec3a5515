import { expect, it } from 'vitest';
import { RetransmissionBudget } from './retransmission-budget.ts';

/** @returns how many bytes were repeated when `packetsPerSecond` packets of 1,200 bytes were asked for. */
function repeated(packetsPerSecond: number, seconds: number, bitsPerSecond: number): number {
  const budget = new RetransmissionBudget();
  let bytes = 0;
  for (let n = 0; n < packetsPerSecond * seconds; n++)
    if (budget.take(1_200, bitsPerSecond, (n * 1_000) / packetsPerSecond)) bytes += 1_200;
  return bytes;
}

it('retransmissions all that random loss takes', () => {
  expect(repeated(4, 10, 400_000)).toBe(4 * 10 * 1_200);
});

it('retransmissions no more than a quarter of what the network carries when a queue overflows', () => {
  expect(repeated(500, 10, 400_000)).toBeLessThan(0.25 * 10 * (400_000 / 8) + 15_000);
});

it('spends no more than half of the room on second copies', () => {
  const budget = new RetransmissionBudget();
  let copies = 0;
  while (budget.takeSpare(1_200, 400_000, 0)) copies += 1;
  expect(copies).toBeGreaterThan(0);
  let retransmissions = 0;
  while (budget.take(1_200, 400_000, 0)) retransmissions += 1;
  expect(retransmissions).toBeGreaterThanOrEqual(copies);
});
