import { expect, test } from 'vitest';
import { judgeWindow } from './mouth-from-audio.ts';
import type { SpeechWindow } from './speech-bands.ts';

/** @param against power of the upper four bands, dB against the lowest. */
function window(levelDb: number, ...against: [number, number, number, number]): SpeechWindow {
  return { levelDb, bands: [0, ...against].map((dB) => 10 ** (dB / 10)) };
}
const vowel = window(-20, -3, -10, -20, -30);
const judge = (judged: SpeechWindow) => judgeWindow(judged, [vowel, vowel], [vowel, vowel], -20);

test('the murmur of m and n is a mouth that is all but closed', () => {
  const { shape, weight } = judge(window(-22, -19, -30, -35, -37));
  expect(shape).toBe('n');
  expect(weight).toBeLessThan(0.5);
});

test('the voice inside a b, far below what is around it, is pressed lips', () => {
  expect(judge(window(-31, -19, -29, -33, -35))).toEqual({ shape: 'mbp', weight: 1 });
});

test('dark vowels are not taken for a murmur', () => {
  expect(judge(window(-22, -15, -24, -26, -33)).shape).toBe('ou');
  expect(judge(window(-23, -13, -27, -38, -41)).shape).toBe('ou');
});

test('the median of a front vowel is not taken for a murmur', () => {
  expect(judge(window(-22, -17, -26, -19, -27)).shape).toBe('ih');
});
