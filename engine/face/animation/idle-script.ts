import { FaceAnimator, restingFace } from './animator.ts';
import { BREATH_MS, breathAt } from './breathing.ts';
import { FRAME_MS } from '../frame-rate.ts';
import { smoothStep } from './ease.ts';
import { mixFaces } from './face-state.ts';
import type { FaceState } from './face-state.ts';
import type { Mood } from './expression.ts';

/** A loop is one breath long, so that it begins and ends breathed out, and short enough to be a keyframe interval. */
export const LOOP_FRAMES = BREATH_MS / FRAME_MS;
/** Moods that are shown from loops. The others do not last. */
export const LOOP_MOODS = ['idle', 'listening'] as const;
export type LoopMood = (typeof LOOP_MOODS)[number];
/** Variations per mood: in random order without early repeats, 14 loops of 4.8 s do not repeat within a minute. */
export const LOOP_VARIATIONS: Readonly<Record<LoopMood, number>> = { idle: 14, listening: 13 };

/** The loop starts from the home pose, and returns to it within this time. */
const LEAVE_MS = 600;

export function isLoopMood(mood: Mood): mood is LoopMood {
  return mood === 'idle' || mood === 'listening';
}

/** The poses of one idle loop. Every loop of a mood, tag and expressivity begins and ends in the same home pose. */
export function idleScript(mood: LoopMood, tag: string | null, expressivity: number, variation: number): FaceState[] {
  const home = restingFace(mood, tag, expressivity);
  const seed = 7919 * (variation + 1) + (mood === 'idle' ? 0 : 104_729);
  // Half a second of run-up, so that the loop does not always begin with the animator's own first rest.
  const animator = new FaceAnimator({ seed, startsAt: -500, mood, tag, expressivity });
  for (let t = -500; t < 0; t += FRAME_MS) animator.step(t, []);
  const poses: FaceState[] = [];
  for (let i = 0; i < LOOP_FRAMES; i++) {
    const t = i * FRAME_MS;
    const free = animator.step(t, []);
    const amount = smoothStep(t / LEAVE_MS) * smoothStep((BREATH_MS - t) / LEAVE_MS);
    const pose = mixFaces(home, free, amount);
    poses.push({ ...pose, breath: breathAt(t) });
  }
  return poses;
}
