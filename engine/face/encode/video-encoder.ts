import type { FrameTarget, Rect } from '../rendering/i420.ts';

export type VideoCodec = 'h264' | 'vp8';
export const VIDEO_CODECS = ['h264', 'vp8'] as const satisfies readonly VideoCodec[];

/** How finely live H.264 follows a motion. */
export const MOTION_PRECISIONS = ['full pixel', 'half pixel'] as const;
export type MotionPrecision = (typeof MOTION_PRECISIONS)[number];

export interface EncoderOptions {
  readonly codec: VideoCodec;
  readonly width: number;
  readonly height: number;
  /** Ceiling, bits per second. A face at rest needs far less. */
  readonly bitsPerSecond: number;
  /** 'live' favors CPU time, 'archive' (idle loops, made once) favors bits and looks. */
  readonly effort: 'live' | 'archive';
  /** @defaultValue 'full pixel' */
  readonly motionPrecision?: MotionPrecision;
}

export interface EncodedFrame {
  /** Owned by the caller. H.264: Annex B, parameter sets before each keyframe. VP8: one frame. */
  readonly data: Uint8Array;
  readonly keyframe: boolean;
}

/** Encodes drawn frames: draw into `frame`, call `encode`, once per frame. Synchronous. */
export interface VideoEncoder {
  readonly codec: VideoCodec;
  /** Kept between calls; valid until `close`. */
  readonly frame: FrameTarget;
  /**
   * @param changed the parts outside of which the frame is exactly that of the last call, in multiples of 16; none when
   *   all of it is. @defaultValue unknown. @throws EncoderError when the codec fails; the encoder is then of no more
   *   use.
   */
  encode(forceKeyframe: boolean, changed?: readonly Rect[]): EncodedFrame;
  /** Takes effect from the next frame on. Some codecs then begin with a keyframe. */
  setBitrate(bitsPerSecond: number): void;
  close(): void;
}

export class EncoderError extends Error {
  constructor(step: string, code: number) {
    super(`The video encoder failed: ${step} (code ${code}).`);
    this.name = 'EncoderError';
  }
}

/** @param code what the media library answered: negative is a failure. @throws EncoderError */
export function checkEncoder(step: string, code: number): void {
  if (code < 0) throw new EncoderError(step, code);
}

/** Ceilings per size: what a sharp, talking face needs at most (measured by eye on 1:1 screens). */
export function bitrateCeiling(width: number, height: number): number {
  return width * height > 400_000 ? 4_500_000 : 2_000_000;
}

/** Below this, a face becomes blocks. The network controller lowers the frame rate instead of going lower. */
export const LOWEST_BITRATE = 120_000;
