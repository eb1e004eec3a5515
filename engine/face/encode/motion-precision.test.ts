import { expect, it } from 'vitest';
import { createVideoEncoder } from './av-encoder.ts';
import { MOTION_PRECISIONS, type MotionPrecision } from './video-encoder.ts';

const SIZE = { width: 320, height: 240 };

/** Bytes of a frame in which everything has moved by half a pixel. */
function movedByHalf(motionPrecision: MotionPrecision): number {
  const encoder = createVideoEncoder({
    codec: 'h264',
    ...SIZE,
    bitsPerSecond: 2_000_000,
    effort: 'live',
    motionPrecision,
  });
  const [luma, ...chroma] = encoder.frame.planes;
  for (const plane of chroma) plane.fill(128);
  const draw = (shift: number): void => {
    for (let y = 0; y < SIZE.height; y++)
      for (let x = 0; x < SIZE.width; x++)
        luma[y * encoder.frame.strides[0] + x] = 128 + 80 * Math.sin((x + shift) * 0.9 + Math.sin(y * 0.31) * 3);
  };
  draw(0);
  encoder.encode(true);
  draw(0.5);
  const { data } = encoder.encode(false);
  encoder.close();
  return data.length;
}

it('encoders that follow motion by half pixels need fewer bits for it', () => {
  const [full, half] = MOTION_PRECISIONS.map(movedByHalf);
  expect(half).toBeLessThan(full! * 0.7);
});
