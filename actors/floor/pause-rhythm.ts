import { STOP_AFTER_MS } from '../vad/vad-thresholds.ts';

/**
 * Some people pause for a second in mid-sentence. What was a pause (the user went on) is learned, so that the next one
 * is waited out. Bounded: a configured sensitivity is never stretched out of recognition, and it wears off.
 */
export interface PauseRhythm {
  /** Typical length of this speaker's pauses, ms; null while none was seen. */
  readonly pauseMs: number | null;
}

export const UNKNOWN_RHYTHM: PauseRhythm = { pauseMs: null };

/**
 * Weight of the newest pause: three or four pauses make a habit. A shorter one counts less: between two long pauses of a
 * speaker there are breaths (`recorded-pauses.test.ts`: 1.09 s, 0.2 s, 1.02 s).
 */
const WEIGHT_LONGER = 0.3;
const WEIGHT_SHORTER = 0.1;
/**
 * Less is no pause: the sound of a voice that went on came late. No voice stops for so little
 * (`vad/vad-thresholds.ts`).
 */
const SHORTEST_PAUSE_MS = STOP_AFTER_MS;
/** A longer silence is a new thought, not a rhythm. */
const LONGEST_PAUSE_MS = 3_000;
/** Wait a little longer than the typical pause … */
const MARGIN = 1.15;
/** … but never more than this much longer than configured. */
const LONGEST_STRETCH = 1.6;
/** A turn without an inner pause makes the habit less likely. */
const FADE = 0.85;
/** Below this a habit no longer changes any wait. */
const FORGOTTEN_MS = 150;

export function learnPause(rhythm: PauseRhythm, pauseMs: number): PauseRhythm {
  if (pauseMs < SHORTEST_PAUSE_MS) return rhythm;
  const pause = Math.min(pauseMs, LONGEST_PAUSE_MS);
  if (rhythm.pauseMs === null) return { pauseMs: pause };
  const weight = pause > rhythm.pauseMs ? WEIGHT_LONGER : WEIGHT_SHORTER;
  return { pauseMs: rhythm.pauseMs + weight * (pause - rhythm.pauseMs) };
}

export function fadeRhythm(rhythm: PauseRhythm): PauseRhythm {
  const pauseMs = (rhythm.pauseMs ?? 0) * FADE;
  return { pauseMs: pauseMs < FORGOTTEN_MS ? null : pauseMs };
}

/** @returns the wait, stretched for a speaker who pauses. */
export function stretchedWait(rhythm: PauseRhythm, waitMs: number): number {
  if (rhythm.pauseMs === null) return waitMs;
  return Math.max(waitMs, Math.min(rhythm.pauseMs * MARGIN, waitMs * LONGEST_STRETCH));
}
