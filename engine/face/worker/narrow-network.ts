import { FRAME_MS } from '../frame-rate.ts';
import type { IdleLoop } from '../prepare/idle-loop.ts';

/** A keyframe that takes longer than this to arrive makes the video freeze; people see it from about 0.3 s on. */
const KEYFRAME_WITHIN_S = 0.25;
/** The size of a good keyframe of a face, bits per pixel. */
const KEYFRAME_BITS_PER_PIXEL = 0.4;
/**
 * The longest time between keyframes, on which clients and recordings rely. Narrow networks carry only coarse
 * keyframes, which turn the frame into blocks for a second. There, keyframes come on request, and rarely otherwise.
 */
const KEYFRAME_AFTER_MS = { good: 5_000, coarse: 30_000 };
/** The rest is for audio, retransmissions and the loop's own peaks. */
const LOOP_SHARE = 0.8;
/**
 * Bits per pixel and second below which 25 frames a second are only blocks. Half as many frames, each with twice the
 * bits, look better. 155 kbit/s at 720×480. At this point the quantizer is at its worst already.
 */
const HALF_RATE_BITS_PER_PIXEL = 0.45;

/** Whether a network of this width can carry a loop without delay. Loops were encoded only for quality. */
export function carriesLoop(loop: Pick<IdleLoop, 'ends'>, bitsPerSecond: number): boolean {
  const [keyframe = 0] = loop.ends;
  const average = ((loop.ends.at(-1) ?? 0) * 8_000) / (loop.ends.length * FRAME_MS);
  return keyframe * 8 <= bitsPerSecond * KEYFRAME_WITHIN_S && average <= bitsPerSecond * LOOP_SHARE;
}

/** How many frames there are between two keyframes without a request. */
export function keyframeDistance(bitsPerSecond: number, width: number, height: number): number {
  const isGood = width * height * KEYFRAME_BITS_PER_PIXEL <= bitsPerSecond * KEYFRAME_WITHIN_S;
  return KEYFRAME_AFTER_MS[isGood ? 'good' : 'coarse'] / FRAME_MS;
}

/** How many of the 25 frames a second are sent: every one, or every second one. This is reduced last. */
export function frameStep(bitsPerSecond: number, width: number, height: number): 1 | 2 {
  return bitsPerSecond < width * height * HALF_RATE_BITS_PER_PIXEL ? 2 : 1;
}
