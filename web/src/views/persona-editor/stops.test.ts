import { expect, it } from 'vitest';
import { nearest } from '../../components/option-slider.tsx';
import { everyStep, times, timeText } from './stops.ts';

it('a slider reaches both ends of its range, and only what lies between', () => {
  expect(everyStep({ minimum: 0.7, maximum: 1.2 }, 0.05)).toEqual([
    0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2,
  ]);
  const long = times({ minimum: 0, maximum: 900 });
  expect([long[0], long.at(-1)]).toEqual([0, 900]);
  expect(times({ minimum: 0, maximum: 7200 }).at(-1)).toBe(7200);
});

it('a value that was set by the API stands at the nearest stop', () => {
  expect(nearest([0, 1, 2, 5, 10], 6)).toBe(3);
});

it('times are said as people say them', () => {
  expect([0.5, 60, 90, 7200].map(timeText)).toEqual(['0.5 s', '1 min', '1 min 30 s', '120 min']);
});
