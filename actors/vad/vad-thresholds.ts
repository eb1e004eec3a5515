/** The thresholds of voice activity detection: each with what it was measured or argued from. */

/** A voice begins above this … (the voice activity model's own published operating point) */
export const ENTER_PROBABILITY = 0.5;
/** … and goes on above this: consonants and the ends of words dip. */
export const STAY_PROBABILITY = 0.35;

/**
 * Two windows, or one that leaves little doubt: enough to lower the persona's voice, because that is quickly undone.
 * The first window with more than the onset of a word in it is seldom above 0.9 and mostly above 0.7; in a minute each
 * of noise, hum, clicks and music no window reaches 0.5.
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

/**
 * A voice that becomes this much quieter than it was, for so long, may be another one: a television, somebody in the
 * next room. People vary by about 5 dB from sentence to sentence (`floor/speaker-level.ts`), and the last words of one are
 * quieter, but not for seconds.
 */
export const FAINT_BELOW_DB = 10;
export const FAINT_MS = 2_500;
/** A voice of the room that is not heard for this long is forgotten: speech pauses for less. */
export const ROOM_FORGOTTEN_MS = 2_000;

/**
 * Windows normally come every 32 ms. When they stay away for this long (the microphone was switched off, the network
 * dropped) the voice has stopped: otherwise the user would be "speaking" until the session ends.
 */
export const WINDOWS_STALLED_MS = 400;
