import { createVideoEncoder } from '../encode/av-encoder.ts';
import type { EncoderOptions, VideoCodec } from '../encode/video-encoder.ts';
import { idleScript } from '../animation/idle-script.ts';
import type { LoopMood } from '../animation/idle-script.ts';
import { packPoses } from '../animation/pose-array.ts';
import { drawLabel, stampLabel } from '../rendering/disclosure.ts';
import type { FaceRenderer } from '../renderer.ts';

/** What an idle loop depends on, apart from the avatar. Sessions with the same look share their loops. */
export interface LoopLook {
  readonly engineKey: string;
  readonly width: number;
  readonly height: number;
  readonly codec: VideoCodec;
  readonly disclosure: string | null;
  readonly baselineStyle: string | null;
  /** In quarters, so that a slider in a console does not make a new set for every value. */
  readonly expressivity: number;
}

export function loopKey(look: LoopLook): string {
  return JSON.stringify([
    look.engineKey,
    look.width,
    look.height,
    look.codec,
    look.disclosure,
    look.baselineStyle,
    look.expressivity,
  ]);
}

export function roundExpressivity(expressivity: number): number {
  return Math.round(Math.min(1, Math.max(0, expressivity)) * 4) / 4;
}

/** One encoded loop. The first frame is a keyframe, the others are not; `ends[i]` is where frame i ends in `data`. */
export interface IdleLoop {
  readonly mood: LoopMood;
  readonly variation: number;
  readonly data: Uint8Array;
  readonly ends: Uint32Array;
  /** The pose of each frame, so that a live frame can continue from any of them. */
  readonly poses: Float32Array;
}

/** Room for the encoder: loops are limited by quality, not by rate. */
const LOOP_CEILING = 4_000_000;

/** Yields after every frame, so that a thread can do something else between them. */
export function* encodeIdleLoop(
  renderer: FaceRenderer,
  look: LoopLook,
  mood: LoopMood,
  variation: number,
): Generator<void, IdleLoop> {
  const options: EncoderOptions = {
    codec: look.codec,
    width: look.width,
    height: look.height,
    bitsPerSecond: LOOP_CEILING,
    effort: 'archive',
  };
  const encoder = createVideoEncoder(options);
  try {
    const painter = renderer.createPainter(encoder.frame);
    const label = look.disclosure === null ? null : drawLabel(look.disclosure, look.height);
    const poses = idleScript(mood, look.baselineStyle, look.expressivity, variation);
    const chunks: Uint8Array[] = [];
    for (const [i, pose] of poses.entries()) {
      painter.paint(pose);
      if (label !== null) stampLabel(label, encoder.frame);
      chunks.push(encoder.encode(i === 0).data);
      yield;
    }
    let end = 0;
    const ends = Uint32Array.from(chunks, (chunk) => (end += chunk.length));
    return { mood, variation, data: Buffer.concat(chunks), ends, poses: packPoses(poses) };
  } finally {
    encoder.close();
  }
}

/** Bytes of frame `index`, as a view. */
export function loopFrame(loop: IdleLoop, index: number): Uint8Array {
  return loop.data.subarray(index === 0 ? 0 : loop.ends[index - 1], loop.ends[index]);
}

/** A loop as one block: [mood, variation, frames, floats] (32 bits each), ends, poses, data. */
export function packLoop(loop: IdleLoop): SharedArrayBuffer {
  const head = [loop.mood === 'idle' ? 0 : 1, loop.variation, loop.ends.length, loop.poses.length];
  const shared = new SharedArrayBuffer(
    head.length * 4 + loop.ends.byteLength + loop.poses.byteLength + loop.data.length,
  );
  new Uint32Array(shared, 0, head.length).set(head);
  new Uint32Array(shared, 16, loop.ends.length).set(loop.ends);
  new Float32Array(shared, 16 + loop.ends.byteLength, loop.poses.length).set(loop.poses);
  new Uint8Array(shared, 16 + loop.ends.byteLength + loop.poses.byteLength).set(loop.data);
  return shared;
}

/** @throws RangeError when the block was cut short. */
export function unpackLoop(shared: ArrayBufferLike): IdleLoop {
  const [mood, variation, frames, floats] = new Uint32Array(shared, 0, 4);
  const ends = new Uint32Array(shared, 16, frames);
  const poses = new Float32Array(shared, 16 + ends.byteLength, floats);
  const data = new Uint8Array(shared, 16 + ends.byteLength + poses.byteLength);
  if (data.length !== ends.at(-1)) throw new RangeError('The idle loop is cut short.');
  return { mood: mood === 0 ? 'idle' : 'listening', variation: variation!, data, ends, poses };
}
