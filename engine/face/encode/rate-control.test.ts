import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '../frame-rate.ts';
import { BEST_QUANTIZER, RateControl, WORST_QUANTIZER } from './rate-control.ts';

const PIXELS = 720 * 480;
/** A very simple model of a codec: each step of the quantizer saves 3.5 % of a frame. */
const taken = (bytesAtBest: number, quantizer: number): number => bytesAtBest * 0.965 ** (quantizer - BEST_QUANTIZER);

/**
 * @param atBest what each frame would take at the best quantizer, bytes; the first is a keyframe. @returns quantizers,
 * and how much waited after each, ms.
 */
function stream(
  control: RateControl,
  bitsPerSecond: number,
  atBest: readonly number[],
): { quantizers: number[]; waiting: number[] } {
  let waitingMs = 0;
  const quantizers: number[] = [];
  const waiting = atBest.map((bytesAtBest, index) => {
    const quantizer = control.next(index === 0);
    const bytes = taken(bytesAtBest, quantizer);
    control.made(bytes, index === 0);
    quantizers.push(quantizer);
    return (waitingMs = Math.max(0, waitingMs + (bytes * 8_000) / bitsPerSecond - FRAME_MS));
  });
  return { quantizers, waiting };
}

const repeated = (bytes: number, frames: number): number[] => Array.from({ length: frames }, () => bytes);

describe('the rate of a stream', () => {
  it('costs nothing where the network carries the best frames', () => {
    expect(
      new Set(stream(new RateControl(PIXELS, 2_000_000), 2_000_000, [16_000, ...repeated(1_500, 50)]).quantizers),
    ).toEqual(new Set([BEST_QUANTIZER]));
  });

  it('keeps to a narrow network: a coarse keyframe, and frames that get better step by step until they take what there is', () => {
    const { quantizers, waiting } = stream(new RateControl(PIXELS, 250_000), 250_000, [
      16_000,
      ...repeated(2_000, 100),
    ]);
    const [keyframe = 0, ...rest] = quantizers;
    expect(keyframe).toBeGreaterThan(40);
    for (const [index, quantizer] of rest.entries()) expect(quantizer).toBeGreaterThanOrEqual(quantizers[index]! - 3);
    expect(rest.at(-1)).toBeLessThan(keyframe - 10);
    expect(taken(2_000, rest.at(-1)!)).toBeGreaterThan(0.9 * ((250_000 * FRAME_MS) / 8_000));
    expect(waiting.at(-1)).toBeLessThan(FRAME_MS);
  });

  it('follows the network both ways within a second', () => {
    const control = new RateControl(PIXELS, 2_000_000);
    stream(control, 2_000_000, [16_000, ...repeated(2_000, 50)]);
    control.setRate(200_000);
    expect(control.next(false)).toBeGreaterThan(BEST_QUANTIZER + 5);
    control.made(1_000, false);
    control.setRate(2_000_000);
    const later = Array.from({ length: 25 }, () => {
      const quantizer = control.next(false);
      control.made(taken(2_000, quantizer), false);
      return quantizer;
    });
    expect(later.at(-1)).toBe(BEST_QUANTIZER);
  });

  it('whatever the frames take and the network carries, quantizers are in their range, and what waits is gone soon wherever the worst one suffices', () => {
    const frames = fc.array(fc.integer({ min: 20, max: 5_000 }), { minLength: 25, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 120_000, max: 3_000_000 }), frames, (bitsPerSecond, sizes) => {
        const { quantizers, waiting } = stream(new RateControl(PIXELS, bitsPerSecond), bitsPerSecond, [
          16_000,
          ...sizes,
        ]);
        for (const quantizer of quantizers)
          expect(quantizer >= BEST_QUANTIZER && quantizer <= WORST_QUANTIZER && Number.isInteger(quantizer)).toBe(true);
        // 5,000 bytes at best are 1,010 at worst. That is what 202 kbit/s carry in the time of a frame.
        if (bitsPerSecond >= 210_000) expect(Math.max(...waiting)).toBeLessThan(500);
      }),
    );
  });
});
