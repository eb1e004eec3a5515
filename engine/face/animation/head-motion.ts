import { between } from './random.ts';
import type { Random } from './random.ts';
import { smoothStep } from './ease.ts';

/**
 * Small movements of the head. It glides to a new attitude, rests, and glides again; a listener nods now and then. The
 * rests make it look calm, and they are cheap: a head at rest is not redrawn.
 */
export interface HeadHabit {
  /** Reach of turn, nod and tilt, 0…1. */
  readonly reach: number;
  readonly glideMs: readonly [number, number];
  readonly restMs: readonly [number, number];
  /** Share of movements that are a nod instead of a glide. */
  readonly nodShare: number;
  /** Depth of a nod. */
  readonly nodDepth: number;
}

export const HEAD_HABITS = {
  idle: { reach: 0.45, glideMs: [900, 1800], restMs: [500, 2200], nodShare: 0, nodDepth: 0 },
  listening: { reach: 0.4, glideMs: [700, 1300], restMs: [900, 2600], nodShare: 0.35, nodDepth: 0.7 },
  thinking: { reach: 0.5, glideMs: [700, 1200], restMs: [500, 1400], nodShare: 0, nodDepth: 0 },
  speaking: { reach: 0.75, glideMs: [380, 900], restMs: [120, 700], nodShare: 0.4, nodDepth: 0.55 },
} as const satisfies Record<string, HeadHabit>;

export interface HeadPose {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

export interface HeadPlan {
  readonly from: HeadPose;
  readonly to: HeadPose;
  readonly startsAt: number;
  readonly durationMs: number;
  readonly restUntil: number;
  /** Depth of the nod that this movement is; 0 for a glide. */
  readonly nod: number;
}

const CENTER: HeadPose = { yaw: 0, pitch: 0, roll: 0 };
const NOD_MS = 620;

export function firstHeadMove(now: number): HeadPlan {
  return { from: CENTER, to: CENTER, startsAt: now, durationMs: 1, restUntil: now + 300, nod: 0 };
}

export function nextHeadMove(plan: HeadPlan, now: number, habit: HeadHabit, random: Random): HeadPlan {
  if (now < plan.restUntil) return plan;
  const rest = between(random, habit.restMs[0], habit.restMs[1]);
  if (random() < habit.nodShare) {
    const depth = habit.nodDepth * between(random, 0.6, 1);
    return {
      from: plan.to,
      to: plan.to,
      startsAt: now,
      durationMs: NOD_MS,
      restUntil: now + NOD_MS + rest,
      nod: depth,
    };
  }
  const to = {
    yaw: between(random, -1, 1) * habit.reach,
    pitch: between(random, -0.6, 0.6) * habit.reach,
    roll: between(random, -0.8, 0.8) * habit.reach,
  };
  const durationMs = between(random, habit.glideMs[0], habit.glideMs[1]);
  return { from: plan.to, to, startsAt: now, durationMs, restUntil: now + durationMs + rest, nod: 0 };
}

export function headAt(plan: HeadPlan, now: number): HeadPose {
  const t = (now - plan.startsAt) / plan.durationMs;
  if (plan.nod > 0) {
    // The head goes down quickly and up more slowly: this looks like agreement, a symmetric movement does not.
    const down = smoothStep(t / 0.4) * (1 - smoothStep((t - 0.4) / 0.6));
    return { ...plan.to, pitch: plan.to.pitch + plan.nod * down };
  }
  const moved = smoothStep(t);
  return {
    yaw: plan.from.yaw + (plan.to.yaw - plan.from.yaw) * moved,
    pitch: plan.from.pitch + (plan.to.pitch - plan.from.pitch) * moved,
    roll: plan.from.roll + (plan.to.roll - plan.from.roll) * moved,
  };
}
