import { expect, it } from 'vitest';
import { Backlog } from './backlog.ts';

const RATE = 400_000;

it('a link is busy with what was put on it, at its rate, and then idle', () => {
  const link = new Backlog();
  expect(link.msAt(RATE, 1_000)).toBe(0);
  link.add(1_000, RATE, 1_000);
  expect(link.msAt(RATE, 1_000)).toBeCloseTo(20);
  link.add(500, RATE, 1_010);
  expect(link.msAt(RATE, 1_010)).toBeCloseTo(20);
  expect(link.msAt(RATE, 1_100)).toBe(0);
});

it('nothing is known to wait on a link of unknown rate', () => {
  const link = new Backlog();
  link.add(1_000, 0, 1_000);
  expect(link.msAt(0, 1_000)).toBe(0);
});
