import { expect, it } from 'vitest';
import { UNREACHABLE_AFTER_FAILURES, retryDelayAfter, cooldownAfter } from './retry-schedule.ts';

const HOUR = 3_600_000;

it('tries an event ten times more within a day, soon at first, and then ever later', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => retryDelayAfter(index + 1));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses[0]).toBeLessThan(10_000);
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeGreaterThan(23 * HOUR);
  expect(total).toBeLessThan(24 * HOUR);
});

it('leaves a receiver alone for as long as it asks, and no longer than usual at the end', () => {
  expect(retryDelayAfter(1, 120_000)).toBe(120_000);
  expect(retryDelayAfter(4, 1_000)).toBe(600_000);
  expect(retryDelayAfter(1, 1_000 * HOUR)).toBe(8 * HOUR);
});

it('leaves a receiver alone that refuses everything, and asks it at least every five minutes', () => {
  expect(cooldownAfter(UNREACHABLE_AFTER_FAILURES - 1)).toBe(0);
  expect(cooldownAfter(UNREACHABLE_AFTER_FAILURES)).toBe(10_000);
  expect(cooldownAfter(UNREACHABLE_AFTER_FAILURES + 2)).toBe(40_000);
  expect(cooldownAfter(1_000)).toBe(300_000);
});
