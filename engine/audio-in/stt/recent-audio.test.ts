import { expect, it } from 'vitest';
import { RecentAudio } from './recent-audio.ts';

/** @returns a window of 32 ms, all of this value. */
const sound = (value: number): Int16Array => new Int16Array(512).fill(value);

/** @returns values in a row, and how many ms each is. */
const runs = (pcm: Int16Array): [value: number, ms: number][] => {
  const found: [number, number][] = [];
  for (const value of pcm) {
    const last = found.at(-1);
    if (last?.[0] === value) last[1] += 1 / 16;
    else found.push([value, 1 / 16]);
  }
  return found;
};

/**
 * Chromium sent nothing between two sentences. To the end-of-turn model the older one stood right before "seven of clubs": it
 * took the end for no end (0.05 in place of 0.98), and the user waited for 1.4 s.
 */
it('the silence between two sentences is kept where no sound of it came', () => {
  const recent = new RecentAudio();
  recent.push(sound(1), 1_000);
  recent.push(sound(2), 4_032);
  expect(runs(recent.take())).toEqual([
    [1, 32],
    [0, 3_000],
    [2, 32],
  ]);
});

it('a sentence of long ago is gone', () => {
  const recent = new RecentAudio();
  recent.push(sound(1), 1_000);
  recent.push(sound(2), 60_000);
  expect(runs(recent.take())).toEqual([
    [0, 7_968],
    [2, 32],
  ]);
});

it('sound that goes on has no gaps, though its times are not exact', () => {
  const recent = new RecentAudio();
  recent.push(sound(1), 1_000);
  recent.push(sound(1), 1_045);
  recent.push(sound(1), 1_064);
  expect(runs(recent.take())).toEqual([[1, 96]]);
});
