/**
 * When does a voice begin and end? Rules over 32 ms windows of speech probability and level. Everything is timed by
 * the sound itself: a stop counts back to the last voiced sample, not to when the probability had fallen.
 */

export interface AudioWindow {
  readonly probability: number;
  readonly levelDb: number;
  /** When its last sample was captured. */
  readonly endsAt: number;
  /** How far into it the sound is loud, ms; left out: all of it. */
  readonly loudMs?: number;
}

/** Length of a window: 512 samples at 16 kHz. */
export const WINDOW_MS = 32;

/** A voice begins above this … (the voice activity model's own published operating point) */
export const ENTER_PROBABILITY = 0.5;
/** … and goes on above this: consonants and the ends of words dip. */
export const STAY_PROBABILITY = 0.35;

/**
 * Two windows, or one that leaves little doubt: enough to lower the persona's voice, because that is quickly undone. The
 * first window with more than the onset of a word in it is seldom above 0.9 and mostly above 0.7; in a minute each of
 * noise, hum, clicks and music no window reaches 0.5.
 */
export const SUSPECT_WINDOWS = 2;
export const CERTAIN_PROBABILITY = 0.75;

/** Shorter voiced sound is a click or a breath: no speech has a syllable below this. */
export const MIN_VOICED_MS = 96;

/** An unconfirmed voice may have a hole of two windows in it. */
export const MAX_GAP_MS = 64;

/**
 * Silence after which the voice has stopped: longer than the closure of a plosive (up to about 120 ms), shorter than
 * the shortest wait for the end of a turn (200 ms), so that it never delays one.
 */
export const STOP_AFTER_MS = 160;
/** … and so much of it without any voice at all: before a plosive the sound is often soft already. */
export const STOP_AFTER_HOLE_MS = 128;

/** A window this far below the loudest of the utterance is its reverberation, whatever the probability says. */
export const TAIL_BELOW_PEAK_DB = 40;

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

export function begins(window: AudioWindow): boolean {
  return window.probability >= ENTER_PROBABILITY;
}

/** Whether the window belongs to the voice that is being heard. */
export function continues(utterance: Utterance, window: AudioWindow): boolean {
  return window.probability >= STAY_PROBABILITY && window.levelDb >= utterance.peakDb - TAIL_BELOW_PEAK_DB;
}

export function beginUtterance(window: AudioWindow): Utterance {
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

export function extend(utterance: Utterance, window: AudioWindow): Utterance {
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

export function hasStopped(utterance: Utterance, window: AudioWindow): boolean {
  return silentFor(utterance, window) >= STOP_AFTER_MS && holeAfter(utterance, window) >= STOP_AFTER_HOLE_MS;
}

function silentFor(utterance: Utterance, window: AudioWindow): number {
  return window.endsAt - utterance.lastVoicedAt;
}

/** Length of the hole after the last window of the voice. */
export function holeAfter(utterance: Utterance, window: AudioWindow): number {
  return window.endsAt - utterance.heardUntil;
}

/** @returns when the loud part of the window ends; null when none of it is loud. */
function loudUntil({ endsAt, loudMs = WINDOW_MS }: AudioWindow): number | null {
  return loudMs === 0 ? null : endsAt - WINDOW_MS + loudMs;
}
