import { parentPort } from 'node:worker_threads';
import { engineNow } from '../../runtime/clock.ts';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import type { MotionPrecision } from '../face/encode/video-encoder.ts';
import type { FrameTarget } from '../face/rendering/i420.ts';
import type { FrameTimes } from './calibrate.ts';

/** The classic frame, and about the part of it that changes while a face speaks. */
const FRAME = { width: 720, height: 480, bitsPerSecond: 2_000_000, codec: 'h264', effort: 'live' } as const;
const FACE = { x: 240, y: 80, width: 240, height: 320 };
/** Batches of frames. The quickest one had the core to itself, whatever else ran. */
const BATCHES = 12;
const FRAMES = 10;

/** Moves a pattern by one pixel, as a head moves: every block of the face changes, and can be predicted. */
function draw({ planes: [luma], strides: [stride] }: FrameTarget, step: number): void {
  for (let y = FACE.y; y < FACE.y + FACE.height; y++) {
    const row = y * stride;
    for (let x = FACE.x; x < FACE.x + FACE.width; x++) luma[row + x] = ((x + step) * (y + 3)) & 0xff;
  }
}

/** @returns ms for a frame, in the quickest batch. */
function quickestOf(motionPrecision: MotionPrecision): number {
  const encoder = createVideoEncoder({ ...FRAME, motionPrecision });
  let quickest = Infinity;
  for (let batch = 0, step = 0; batch < BATCHES; batch++) {
    const began = engineNow();
    for (let frame = 0; frame < FRAMES; frame++) {
      draw(encoder.frame, step++);
      encoder.encode(false, [FACE]);
    }
    quickest = Math.min(quickest, (engineNow() - began) / FRAMES);
  }
  encoder.close();
  return quickest;
}

parentPort?.postMessage({
  'full pixel': quickestOf('full pixel'),
  'half pixel': quickestOf('half pixel'),
} satisfies FrameTimes);
