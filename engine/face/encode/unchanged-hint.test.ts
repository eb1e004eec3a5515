import { expect, it } from 'vitest';
import type { Rect } from '../rendering/i420.ts';
import { createVideoEncoder } from './av-encoder.ts';

const SIZE = { width: 320, height: 240 };

/** Bytes of a second frame that differs from the first in two squares, by what is reported as changed. */
function secondFrame(changed: readonly Rect[] | undefined): number {
  const encoder = createVideoEncoder({ codec: 'h264', ...SIZE, bitsPerSecond: 2_000_000, effort: 'live' });
  const [luma, ...chroma] = encoder.frame.planes;
  luma.fill(60);
  for (const plane of chroma) plane.fill(128);
  encoder.encode(true);
  for (const left of [32, 192]) {
    for (let y = 64; y < 112; y++)
      for (let x = left; x < left + 48; x++) luma[y * encoder.frame.strides[0] + x] = (x * 37 + y * 91) % 200;
  }
  const { data } = encoder.encode(false, changed);
  encoder.close();
  return data.length;
}

it('what is said to be as before is not encoded again', () => {
  const all = secondFrame(undefined);
  const square = { x: 32, y: 64, width: 48, height: 48 };
  const half = secondFrame([square]);
  expect(half).toBeGreaterThan(all * 0.4);
  expect(half).toBeLessThan(all * 0.6);
  expect(secondFrame([square, { ...square, x: 192 }])).toBe(all);
  expect(secondFrame([])).toBeLessThan(all * 0.05);
});
