import { describe, expect, it } from 'vitest';
import { Resampler } from './resampler.ts';

function tone(rate: number, ms: number): Int16Array {
  return Int16Array.from({ length: (rate * ms) / 1000 }, (_, k) => 10_000 * Math.sin((2 * Math.PI * 440 * k) / rate));
}

function resample(pcm: Int16Array, rate: number, chunk: number): Int16Array {
  const resampler = new Resampler(rate);
  const parts: number[] = [];
  for (let at = 0; at < pcm.length; at += chunk) parts.push(...resampler.convert(pcm.subarray(at, at + chunk)));
  parts.push(...resampler.finish());
  return Int16Array.from(parts);
}

describe('resampler', () => {
  it.each([8_000, 16_000, 22_050, 24_000, 44_100, 48_000])(
    'makes the same tone of %i Hz, without seams between chunks',
    (rate) => {
      const expected = tone(48_000, 500);
      const chunked = resample(tone(rate, 500), rate, 137);
      expect(Math.abs(chunked.length - expected.length)).toBeLessThanOrEqual(1);
      for (let k = 480; k < expected.length - 480; k += 1)
        expect(Math.abs(chunked[k]! - expected[k]!)).toBeLessThan(150);
    },
  );

  it('refuses rates that no voice has', () => {
    for (const rate of [0, 3, 16_000.5, 1_000_000]) expect(() => new Resampler(rate)).toThrow(RangeError);
  });
});
