import { between } from './random.ts';
import type { Random } from './random.ts';
import { smoothStep } from './ease.ts';

/**
 * When the eyes blink, and how far the lids are closed during it. People in conversation blink 15–25 times a minute, at
 * irregular distances, sometimes twice in a row; closing takes about a third of the whole.
 */
const MIN_PAUSE_MS = 1800;
const MAX_PAUSE_MS = 6200;
const DOUBLE_BLINK_SHARE = 0.12;
const DOUBLE_BLINK_PAUSE_MS = 140;
const CLOSING_MS = 90;
const CLOSED_MS = 40;
const OPENING_MS = 150;
export const BLINK_MS = CLOSING_MS + CLOSED_MS + OPENING_MS;

export interface BlinkPlan {
  /** When the current or next blink begins. */
  readonly startsAt: number;
}

export function firstBlink(now: number, random: Random): BlinkPlan {
  return { startsAt: now + between(random, MIN_PAUSE_MS * 0.5, MAX_PAUSE_MS * 0.7) };
}

/** Moves on to the next blink once the planned one is over. */
export function nextBlink(plan: BlinkPlan, now: number, random: Random): BlinkPlan {
  const end = plan.startsAt + BLINK_MS;
  if (now < end) return plan;
  const pause = random() < DOUBLE_BLINK_SHARE ? DOUBLE_BLINK_PAUSE_MS : between(random, MIN_PAUSE_MS, MAX_PAUSE_MS);
  return { startsAt: Math.max(end + pause, now) };
}

/** @returns 0 (open) … 1 (closed). */
export function blinkClosure(plan: BlinkPlan, now: number): number {
  const t = now - plan.startsAt;
  if (t <= 0 || t >= BLINK_MS) return 0;
  if (t < CLOSING_MS) return smoothStep(t / CLOSING_MS);
  if (t < CLOSING_MS + CLOSED_MS) return 1;
  return 1 - smoothStep((t - CLOSING_MS - CLOSED_MS) / OPENING_MS);
}
