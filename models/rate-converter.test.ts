import { expect, test } from 'vitest';
import { RateConverter } from './rate-converter.ts';

const tone = (hz: number, rate: number, seconds: number): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, at) => Math.round(10_000 * Math.sin((2 * Math.PI * hz * at) / rate)));

/** Strength of a frequency, as a share of the tone's. */
function strength(pcm: Int16Array, hz: number, rate: number): number {
  let [re, im] = [0, 0];
  pcm.forEach((sample, at) => {
    re += sample * Math.cos((2 * Math.PI * hz * at) / rate);
    im += sample * Math.sin((2 * Math.PI * hz * at) / rate);
  });
  return (2 * Math.hypot(re, im)) / pcm.length / 10_000;
}

test.each([300, 1_000, 3_400, 5_000])('a tone of %i Hz keeps its height and strength, and gets no image', (hz) => {
  const raised = new RateConverter(16_000, 24_000).convert(tone(hz, 16_000, 1));
  expect(raised).toHaveLength(24_000);
  const middle = raised.slice(2_400, 21_600);
  expect(strength(middle, hz, 24_000)).toBeCloseTo(1, 1);
  // Mirrored at the old rate, and once more at half of the new one.
  const image = hz < 4_000 ? 8_000 + hz : 16_000 - hz;
  expect(strength(middle, image, 24_000)).toBeLessThan(0.01);
});

test('pieces of any length give the same as the whole', () => {
  const pcm = tone(700, 16_000, 0.1);
  const upsampler = new RateConverter(16_000, 24_000);
  const pieces: number[] = [];
  for (let at = 0, size = 1; at < pcm.length; at += size, size = (size % 97) + 5)
    pieces.push(...upsampler.convert(pcm.slice(at, at + size)));
  expect(pieces).toEqual([...new RateConverter(16_000, 24_000).convert(pcm)]);
});
