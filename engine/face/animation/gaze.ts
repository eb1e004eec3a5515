import { between } from './random.ts';
import type { Random } from './random.ts';
import { smoothStep } from './ease.ts';

/**
 * Where the eyes look. Eyes do not glide. They rest on a point and jump to the next (a saccade, about 50 ms). A
 * listener looks at the speaker almost all the time, a thinker looks away and up, a speaker does both.
 */
export interface GazeHabit {
  /** Time on one point, ms. */
  readonly restMs: readonly [number, number];
  /** Share of rests that are spent away from the viewer's eyes. */
  readonly awayShare: number;
  /** How far away, −1…1, and the vertical center of it. */
  readonly reach: number;
  readonly awayY: number;
}

export const GAZE_HABITS = {
  idle: { restMs: [1400, 4200], awayShare: 0.3, reach: 0.5, awayY: 0.05 },
  listening: { restMs: [1800, 4800], awayShare: 0.12, reach: 0.3, awayY: 0.05 },
  thinking: { restMs: [700, 1700], awayShare: 0.85, reach: 0.75, awayY: -0.45 },
  speaking: { restMs: [900, 2600], awayShare: 0.28, reach: 0.45, awayY: -0.05 },
} as const satisfies Record<string, GazeHabit>;

const SACCADE_MS = 55;
/** Eyes on the viewer still wander a little, between the viewer's own eyes. */
const FIXATION_WANDER = 0.08;

export interface GazePlan {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly jumpsAt: number;
  readonly restUntil: number;
}

export function firstGaze(now: number): GazePlan {
  return { fromX: 0, fromY: 0, toX: 0, toY: 0, jumpsAt: now, restUntil: now + 700 };
}

export function nextGaze(plan: GazePlan, now: number, habit: GazeHabit, random: Random): GazePlan {
  if (now < plan.restUntil) return plan;
  const away = random() < habit.awayShare;
  const side = random() < 0.5 ? -1 : 1;
  const toX = away
    ? side * between(random, habit.reach * 0.4, habit.reach)
    : between(random, -FIXATION_WANDER, FIXATION_WANDER);
  const toY = away
    ? habit.awayY + between(random, -0.15, 0.15)
    : between(random, -FIXATION_WANDER, FIXATION_WANDER) / 2;
  const rest = between(random, habit.restMs[0], habit.restMs[1]) * (away ? 0.5 : 1);
  return { fromX: plan.toX, fromY: plan.toY, toX, toY, jumpsAt: now, restUntil: now + rest };
}

export function gazeAt(plan: GazePlan, now: number): { readonly x: number; readonly y: number } {
  const moved = smoothStep((now - plan.jumpsAt) / SACCADE_MS);
  return { x: plan.fromX + (plan.toX - plan.fromX) * moved, y: plan.fromY + (plan.toY - plan.fromY) * moved };
}

/** True right after a jump that is large enough to be accompanied by a blink or a turn of the head. */
export function gazeJump(plan: GazePlan): number {
  return Math.hypot(plan.toX - plan.fromX, plan.toY - plan.fromY);
}
