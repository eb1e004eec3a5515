import { expect, it } from 'vitest';
import { nextToSpeak, type Unfinished } from './speaking-order.ts';

const sentence = (askedAt: number, heardSince: number | null = null, sentMs = 0): Unfinished => ({
  askedAt,
  heardSince,
  sentMs,
});

it('the first words of any caller go before the later ones of others', () => {
  const speaking = sentence(0, 100, 2_000);
  const waiting = sentence(1_000);
  expect(nextToSpeak([speaking, waiting])).toBe(waiting);
});

it('of those who wait, the one who has waited longest goes first', () => {
  const [early, late] = [sentence(1_000), sentence(1_200)];
  expect(nextToSpeak([late, early])).toBe(early);
});

it('of those who are heard, the one whose sound ends first goes first', () => {
  const [soon, later] = [sentence(500, 700, 1_000), sentence(0, 100, 3_000)];
  expect(nextToSpeak([later, soon])).toBe(soon);
});

it('one whose sound has ended is not passed over for those who came after that', () => {
  const silent = sentence(0, 100, 500);
  expect(nextToSpeak([sentence(900), silent])).toBe(silent);
});

it('without sentences there is none', () => expect(nextToSpeak([])).toBeUndefined());
