import type { MouthTrack, Viseme } from '../../ports.ts';
import { FRAME_MS } from '../frame-rate.ts';
import { smoothStep } from './ease.ts';
import { CLOSED_MOUTH, VISEME_POSES } from './viseme-poses.ts';
import type { MouthPose } from './viseme-poses.ts';

/** A mouth shape in absolute engine time. */
export interface TimedShape {
  readonly shape: Viseme;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly weight: number;
}

/**
 * One shape turns into the next within this time, centered on the boundary: about the speed of lips in fluent speech.
 */
export const TRANSITION_MS = 60;
const POSE_KEYS = Object.keys(CLOSED_MOUTH) as readonly (keyof MouthPose)[];

export function timedShapes(track: MouthTrack): TimedShape[] {
  return track.shapes.map((s) => ({
    shape: s.shape,
    startsAt: track.startsAt + s.startMs,
    endsAt: track.startsAt + s.endMs,
    weight: s.weight,
  }));
}

/** 1 inside the shape, fading over the transition around both ends. */
function presence(shape: TimedShape, at: number): number {
  const rise = smoothStep((at - shape.startsAt) / TRANSITION_MS + 0.5);
  const fall = 1 - smoothStep((at - shape.endsAt) / TRANSITION_MS + 0.5);
  return Math.min(rise, fall);
}

/** The mouth at a time. @param shapes sorted by start; shapes outside of the transition cost nothing. */
export function mouthAt(shapes: readonly TimedShape[], at: number): MouthPose {
  const sum = { ...CLOSED_MOUTH } as Record<keyof MouthPose, number>;
  let total = 0;
  let closure = 0;
  for (const shape of shapes) {
    if (shape.startsAt > at + TRANSITION_MS) break;
    const present = presence(shape, at);
    // A closure is seen only if a frame shows it. So it is held for the whole frame into which it falls, however short
    // it is.
    if (shape.shape === 'mbp' && shape.startsAt < at + FRAME_MS / 2 && shape.endsAt > at - FRAME_MS / 2) closure = 1;
    if (present <= 0) continue;
    total += present;
    const pose = VISEME_POSES[shape.shape];
    for (const key of POSE_KEYS)
      sum[key] += pose[key] * present * (key === 'mouthOpen' ? shape.weight : Math.min(1, shape.weight));
  }
  if (total > 1) for (const key of POSE_KEYS) sum[key] /= total;
  if (closure === 1) return { ...VISEME_POSES.mbp, mouthWide: sum.mouthWide };
  return sum;
}
