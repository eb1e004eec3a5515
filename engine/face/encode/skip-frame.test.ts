import { expect, it } from 'vitest';
import { decodeStream } from '../testing/decode-stream.ts';
import { createVideoEncoder } from './av-encoder.ts';
import { SkipFrames } from './skip-frame.ts';
import { MOTION_PRECISIONS } from './video-encoder.ts';

const SIZES = [
  [320, 240],
  [720, 480],
  [1152, 768],
] as const;
const FRAMES = 60;
const NON_REFERENCE_SLICE = 1;

/** Whether a frame is one that no other refers to. */
const isSkipFrame = (data: Uint8Array): boolean => data[4] === NON_REFERENCE_SLICE;

it.each(
  SIZES.flatMap(([width, height]) =>
    MOTION_PRECISIONS.flatMap((motionPrecision) =>
      [2_000_000, 300_000].map((rate) => ({ width, height, motionPrecision, rate })),
    ),
  ),
)('decoders show the frame before again, and go on: $width×$height, $motionPrecision, $rate bit/s', (options) => {
  const { width, height, motionPrecision, rate } = options;
  const encoder = createVideoEncoder({
    codec: 'h264',
    width,
    height,
    bitsPerSecond: rate,
    effort: 'live',
    motionPrecision,
  });
  const [luma, ...chroma] = encoder.frame.planes;
  luma.fill(60);
  for (const plane of chroma) plane.fill(128);
  const square = { x: 64, y: 64, width: 96, height: 96 };
  const frames: Uint8Array[] = [];
  for (let i = 0; i < FRAMES; i++) {
    // One, two, three frames in turn that are like the one before; a keyframe in between.
    const changes = [0, 2, 5].includes(i % 9);
    for (let y = square.y; changes && y < square.y + square.height; y++)
      for (let x = square.x; x < square.x + square.width; x++)
        luma[y * encoder.frame.strides[0] + x] = 60 + (((x + i) * 7 + y * 3) % 120);
    frames.push(encoder.encode(i === 31, changes ? [square] : []).data);
  }
  const drawn = Buffer.from(luma);
  const { strides } = encoder.frame;
  encoder.close();
  const shown: Buffer[] = [];
  const decoded = decodeStream('h264', frames, (plane, stride) =>
    shown.push(Buffer.concat(Array.from({ length: height }, (_, y) => plane.subarray(y * stride, y * stride + width)))),
  );
  expect(decoded).toEqual({ decodedFrames: FRAMES, errors: 0 });
  const skipFrames = frames.flatMap((data, i) => (isSkipFrame(data) ? [i] : []));
  expect(skipFrames.length).toBeGreaterThan(FRAMES / 4);
  for (const i of skipFrames) {
    expect(frames[i]!.length).toBeLessThan(16);
    expect(shown[i]!.equals(shown[i - 1]!), `frame ${i}`).toBe(true);
    expect(skipFrames).not.toContain(i + 1);
  }
  // What comes later is as it was drawn: nothing was lost between encoder and decoder.
  let difference = 0;
  for (let y = square.y; y < square.y + square.height; y++)
    for (let x = square.x; x < square.x + square.width; x++)
      difference += Math.abs(drawn[y * strides[0] + x]! - shown.at(-1)![y * width + x]!);
  expect(difference / (square.width * square.height)).toBeLessThan(6);
});

it('is left to the encoder in a stream that is not understood', () => {
  const skipFrames = new SkipFrames();
  expect(skipFrames.make()).toBeNull();
  skipFrames.encoded(Uint8Array.of(0, 0, 0, 1, 0x67, 100, 0, 31, 0, 0, 0, 1, 0x65, 1, 2, 3), true);
  expect(skipFrames.make()).toBeNull();
});
