import { expect, test } from 'vitest';
import { concealLoss } from './conceal-loss.ts';

test('a lost frame repeats the last one, fading out', () => {
  expect([...concealLoss(Int16Array.of(100, 100, -100, -100), 4)]).toEqual([75, 50, -25, 0]);
});

test('more lost frames are silence after the first', () => {
  expect([...concealLoss(Int16Array.of(90, 90, 90), 6)]).toEqual([60, 30, 0, 0, 0, 0]);
});

test('what is lost at the very beginning is silence', () => {
  expect([...concealLoss(new Int16Array(0), 3)]).toEqual([0, 0, 0]);
});
