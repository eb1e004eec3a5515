import {
  ENTER_PROBABILITY,
  STAY_PROBABILITY,
  SUSPECT_WINDOWS,
  CERTAIN_PROBABILITY,
  MIN_VOICED_MS,
  STOP_AFTER_MS,
  STOP_AFTER_HOLE_MS,
  TAIL_BELOW_PEAK_DB,
  FAINT_BELOW_DB,
  FAINT_MS,
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
  /** The same power, of the windows that were not faint. */
  readonly loudPower: number;
  readonly loudWindows: number;
  /** Since when all windows have been far quieter than those before; null: they are not. Their highest level. */
  readonly faintSince: number | null;
  readonly faintPeakDb: number;
}

/** A voice of the room (a television), which is not the user's: its level, and when it was last heard. */
export interface Room {
  readonly levelDb: number;
  readonly heardAt: number;
}

export const SILENT_ROOM: Room = { levelDb: -Infinity, heardAt: -Infinity };

export function isSilent({ levelDb }: Room): boolean {
  return levelDb === -Infinity;
}

/** Whether it is a voice, be it only one of the room. */
export function isVoice(window: VadWindow): boolean {
  return window.probability >= ENTER_PROBABILITY;
}

export function begins(window: VadWindow, room = SILENT_ROOM): boolean {
  return isVoice(window) && window.levelDb > room.levelDb;
}

/** Whether the window belongs to the voice that is being heard. */
export function continues(utterance: Utterance, window: VadWindow, room = SILENT_ROOM): boolean {
  return (
    window.probability >= STAY_PROBABILITY &&
    window.levelDb >= utterance.peakDb - TAIL_BELOW_PEAK_DB &&
    window.levelDb > room.levelDb
  );
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
    loudPower: powerOf(window.levelDb),
    loudWindows: 1,
    faintSince: null,
    faintPeakDb: -Infinity,
  };
}

export function extend(utterance: Utterance, window: VadWindow): Utterance {
  const isFaint = window.levelDb <= loudLevelDb(utterance) - FAINT_BELOW_DB;
  return {
    onsetAt: utterance.onsetAt,
    lastVoicedAt: loudUntil(window) ?? utterance.lastVoicedAt,
    heardUntil: window.endsAt,
    voicedMs: utterance.voicedMs + WINDOW_MS,
    peakDb: Math.max(utterance.peakDb, window.levelDb),
    power: utterance.power + powerOf(window.levelDb),
    certainty: Math.max(utterance.certainty, window.probability),
    loudPower: utterance.loudPower + (isFaint ? 0 : powerOf(window.levelDb)),
    loudWindows: utterance.loudWindows + (isFaint ? 0 : 1),
    faintSince: isFaint ? (utterance.faintSince ?? window.endsAt - WINDOW_MS) : null,
    faintPeakDb: isFaint ? Math.max(utterance.faintPeakDb, window.levelDb) : -Infinity,
  };
}

export function isFaint({ faintSince, heardUntil }: Utterance): boolean {
  return faintSince !== null && heardUntil - faintSince >= FAINT_MS;
}

/** @returns what is heard once the user has stopped: the voice that goes on. */
export function roomOf(utterance: Utterance): Room {
  const levelDb = utterance.faintSince === null ? utterance.peakDb : utterance.faintPeakDb;
  return { levelDb, heardAt: utterance.heardUntil };
}

/** @returns the utterance as it was when the user stopped. */
export function endedAt(utterance: Utterance, at: number): Pick<Utterance, 'onsetAt' | 'lastVoicedAt' | 'voicedMs'> {
  const { onsetAt } = utterance;
  const lastVoicedAt = Math.max(onsetAt, Math.min(utterance.lastVoicedAt, at));
  return { onsetAt, lastVoicedAt, voicedMs: Math.min(utterance.voicedMs, lastVoicedAt - onsetAt) };
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

/** Without the voice that was heard at last, if that was a faint one. */
export function loudLevelDb({ loudPower, loudWindows }: Utterance): number {
  return levelOf(loudPower, loudWindows);
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
