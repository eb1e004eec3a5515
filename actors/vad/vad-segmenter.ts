import {
  ENTER_PROBABILITY,
  STAY_PROBABILITY,
  SUSPECT_WINDOWS,
  CERTAIN_PROBABILITY,
  MIN_VOICED_MS,
  STOP_AFTER_MS,
  STOP_AFTER_HOLE_MS,
  TAIL_BELOW_PEAK_DB,
} from './vad-thresholds.ts';
import { WINDOW_MS, type VadWindow } from './vad-window.ts';

/**
 * When does a voice begin and end? Rules over 32 ms windows of speech probability and level. Everything is timed by
 * the sound itself: a stop counts back to the last voiced sample, not to when the probability had fallen.
 */

export interface Utterance {
  readonly onsetAt: number;
  /** End of the last loud sound in a window of this voice: what silence is counted from. */
  readonly lastVoicedAt: number;
  /** End of the last window of this voice: what holes are counted from. */
  readonly heardUntil: number;
  readonly voicedMs: number;
  readonly peakDb: number;
  /** Sum of the powers of the voiced windows, for the mean: the loud ones count, not the tails between words. */
  readonly power: number;
  /** Highest probability so far. */
  readonly certainty: number;
}

export function begins(window: VadWindow): boolean {
  return window.probability >= ENTER_PROBABILITY;
}

/** Whether the window belongs to the voice that is being heard. */
export function continues(utterance: Utterance, window: VadWindow): boolean {
  return window.probability >= STAY_PROBABILITY && window.levelDb >= utterance.peakDb - TAIL_BELOW_PEAK_DB;
}

export function beginUtterance(window: VadWindow): Utterance {
  return {
    onsetAt: window.endsAt - WINDOW_MS,
    lastVoicedAt: loudUntil(window) ?? window.endsAt,
    heardUntil: window.endsAt,
    voicedMs: WINDOW_MS,
    peakDb: window.levelDb,
    power: powerOf(window.levelDb),
    certainty: window.probability,
  };
}

export function extend(utterance: Utterance, window: VadWindow): Utterance {
  return {
    onsetAt: utterance.onsetAt,
    lastVoicedAt: loudUntil(window) ?? utterance.lastVoicedAt,
    heardUntil: window.endsAt,
    voicedMs: utterance.voicedMs + WINDOW_MS,
    peakDb: Math.max(utterance.peakDb, window.levelDb),
    power: utterance.power + powerOf(window.levelDb),
    certainty: Math.max(utterance.certainty, window.probability),
  };
}

export function isSuspect(utterance: Utterance): boolean {
  return utterance.voicedMs >= SUSPECT_WINDOWS * WINDOW_MS || utterance.certainty >= CERTAIN_PROBABILITY;
}

export function isSpeech(utterance: Utterance): boolean {
  return utterance.voicedMs >= MIN_VOICED_MS;
}

export function meanLevelDb(utterance: Utterance): number {
  return levelOf(utterance.power, utterance.voicedMs / WINDOW_MS);
}

/** dBFS to power. */
export function powerOf(levelDb: number): number {
  return 10 ** (levelDb / 10);
}

/** @returns dBFS of the mean over so many windows; -Infinity for none. */
export function levelOf(power: number, windows: number): number {
  return 10 * Math.log10(power / windows);
}

export function hasStopped(utterance: Utterance, window: VadWindow): boolean {
  return silentFor(utterance, window) >= STOP_AFTER_MS && holeAfter(utterance, window) >= STOP_AFTER_HOLE_MS;
}

function silentFor(utterance: Utterance, window: VadWindow): number {
  return window.endsAt - utterance.lastVoicedAt;
}

/** Length of the hole after the last window of the voice. */
export function holeAfter(utterance: Utterance, window: VadWindow): number {
  return window.endsAt - utterance.heardUntil;
}

/** @returns when the loud part of the window ends; null when none of it is loud. */
function loudUntil({ endsAt, loudMs = WINDOW_MS }: VadWindow): number | null {
  return loudMs === 0 ? null : endsAt - WINDOW_MS + loudMs;
}
