import { STOP_AFTER_MS } from '../vad/vad-thresholds.ts';

/**
 * Some people pause for a second in mid-sentence. What was a pause (the user went on) is learned, so that the next one
 * is waited out. Bounded: a configured sensitivity is never stretched out of recognition, and it wears off.
 */
export interface PauseRhythm {
  /** Typical length of this speaker's pauses, ms; null while none was seen. */
  readonly pauseMs: number | null;
  /** Turns in a row that were long enough for a pause for thought, and had none; -1 during one that has. */
  readonly fluentTurns: number;
}

export const UNKNOWN_RHYTHM: PauseRhythm = { pauseMs: null, fluentTurns: 0 };

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
const MIN_PAUSE_MS = STOP_AFTER_MS;
/** A longer silence is a new thought, not a rhythm. */
const MAX_PAUSE_MS = 3_000;
/** Wait a little longer than the typical pause … */
const MARGIN = 1.15;
/** … but never more than this much longer than configured: at the default sensitivity 1.4 s, with pauses of 1.2 s. */
const MAX_STRETCH = 2;
/** A breath is shorter, mostly. */
const THOUGHT_MS = 300;
/** Who says less has no occasion to pause, ms of voice. */
const LONG_ENOUGH_MS = 1_500;
/** Each fluent turn leaves so much of the patience with this speaker. */
const LESS_PATIENT = 0.5;
/** A turn without an inner pause makes the habit less likely. */
const FADE = 0.85;
/** Below this a habit no longer changes any wait. */
const FORGOTTEN_MS = 150;

export function learnPause(rhythm: PauseRhythm, pauseMs: number): PauseRhythm {
  if (pauseMs < MIN_PAUSE_MS) return rhythm;
  const pause = Math.min(pauseMs, MAX_PAUSE_MS);
  const fluentTurns = pause < THOUGHT_MS ? rhythm.fluentTurns : -1;
  if (rhythm.pauseMs === null) return { pauseMs: pause, fluentTurns };
  const weight = pause > rhythm.pauseMs ? WEIGHT_LONGER : WEIGHT_SHORTER;
  return { pauseMs: rhythm.pauseMs + weight * (pause - rhythm.pauseMs), fluentTurns };
}

/** Who says something new says it after the beginning of the answer, at least. */
export const MISTAKE_MS = 1_500;

/** @param pauseMs from the end of a turn to the next voice: if it is short, the turn was not over. */
export function learnMistake(rhythm: PauseRhythm, pauseMs: number): PauseRhythm {
  return pauseMs > MISTAKE_MS ? rhythm : learnPause(rhythm, pauseMs);
}

/** A turn is over. @param voicedMs of it. */
export function fadeRhythm({ pauseMs, fluentTurns }: PauseRhythm, voicedMs: number): PauseRhythm {
  const faded = (pauseMs ?? 0) * FADE;
  const isFluent = fluentTurns < 0 || voicedMs >= LONG_ENOUGH_MS;
  return { pauseMs: faded < FORGOTTEN_MS ? null : faded, fluentTurns: fluentTurns + (isFluent ? 1 : 0) };
}

/**
 * @returns how patient to be where nothing says for sure that the speaker has finished, 1…0: a stranger is given time, and
 * who never pauses for thought is answered sooner.
 */
export function patienceWith({ fluentTurns }: PauseRhythm): number {
  return LESS_PATIENT ** Math.max(0, fluentTurns);
}

/** @param wholeMs the wait after a whole sentence, as configured. @returns the wait, stretched for a speaker who pauses. */
export function stretchedWait(rhythm: PauseRhythm, waitMs: number, wholeMs = waitMs): number {
  if (rhythm.pauseMs === null) return waitMs;
  return Math.max(waitMs, Math.min(rhythm.pauseMs * MARGIN, wholeMs * MAX_STRETCH));
}
