import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '../frame-rate.ts';
import { BEST_QUANTISER, RateControl, WORST_QUANTISER } from './rate-control.ts';

const PIXELS = 720 * 480;
/** A codec of the simplest kind: each step of the quantiser saves 3.5 % of a picture. */
const taken = (bytesAtBest: number, quantiser: number): number => bytesAtBest * 0.965 ** (quantiser - BEST_QUANTISER);

/** @param atBest what each picture would take at the best quantiser, bytes; the first is a keyframe. @returns quantisers, and how much waited after each, ms. */
function stream(control: RateControl, bitsPerSecond: number, atBest: readonly number[]): { quantisers: number[]; waiting: number[] } {
  let waitingMs = 0;
  const quantisers: number[] = [];
  const waiting = atBest.map((bytesAtBest, index) => {
    const quantiser = control.next(index === 0);
    const bytes = taken(bytesAtBest, quantiser);
    control.made(bytes, index === 0);
    quantisers.push(quantiser);
    return (waitingMs = Math.max(0, waitingMs + (bytes * 8_000) / bitsPerSecond - FRAME_MS));
  });
  return { quantisers, waiting };
}

const repeated = (bytes: number, pictures: number): number[] => Array.from({ length: pictures }, () => bytes);

describe('the rate of a stream', () => {
  it('costs nothing where the network carries the best pictures', () => {
    expect(new Set(stream(new RateControl(PIXELS, 2_000_000), 2_000_000, [16_000, ...repeated(1_500, 50)]).quantisers)).toEqual(new Set([BEST_QUANTISER]));
  });

  it('keeps to a narrow network: a coarse keyframe, and pictures that get better step by step until they take what there is', () => {
    const { quantisers, waiting } = stream(new RateControl(PIXELS, 250_000), 250_000, [16_000, ...repeated(2_000, 100)]);
    const [keyframe = 0, ...rest] = quantisers;
    expect(keyframe).toBeGreaterThan(40);
    for (const [index, quantiser] of rest.entries()) expect(quantiser).toBeGreaterThanOrEqual(quantisers[index]! - 3);
    expect(rest.at(-1)).toBeLessThan(keyframe - 10);
    expect(taken(2_000, rest.at(-1)!)).toBeGreaterThan(0.9 * ((250_000 * FRAME_MS) / 8_000));
    expect(waiting.at(-1)).toBeLessThan(FRAME_MS);
  });

  it('follows the network both ways within a second', () => {
    const control = new RateControl(PIXELS, 2_000_000);
    stream(control, 2_000_000, [16_000, ...repeated(2_000, 50)]);
    control.setRate(200_000);
    expect(control.next(false)).toBeGreaterThan(BEST_QUANTISER + 5);
    control.made(1_000, false);
    control.setRate(2_000_000);
    const later = Array.from({ length: 25 }, () => {
      const quantiser = control.next(false);
      control.made(taken(2_000, quantiser), false);
      return quantiser;
    });
    expect(later.at(-1)).toBe(BEST_QUANTISER);
  });

  it('whatever the pictures take and the network carries, quantisers are in their range, and what waits is gone soon wherever the worst one suffices', () => {
    const pictures = fc.array(fc.integer({ min: 20, max: 5_000 }), { minLength: 25, maxLength: 200 });
    fc.assert(fc.property(fc.integer({ min: 120_000, max: 3_000_000 }), pictures, (bitsPerSecond, sizes) => {
      const { quantisers, waiting } = stream(new RateControl(PIXELS, bitsPerSecond), bitsPerSecond, [16_000, ...sizes]);
      for (const quantiser of quantisers) expect(quantiser >= BEST_QUANTISER && quantiser <= WORST_QUANTISER && Number.isInteger(quantiser)).toBe(true);
      // 5,000 bytes at best are 1,010 at worst: as much as 202 kbit/s carry in the time of a picture.
      if (bitsPerSecond >= 210_000) expect(Math.max(...waiting)).toBeLessThan(500);
    }));
  });
});
