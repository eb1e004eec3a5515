import { WINDOWS_STALLED_MS } from '../vad/vad-thresholds.ts';

/** Silence counts in the sound's time: what has not arrived yet may be a voice. */

/** The usual delay of the last window: its length and its way (27 ms p50, 58 p95). */
export const USUAL_AUDIO_LAG_MS = 80;
/**
 * Sound that comes later than this does not come: the microphone was switched off. Wi-Fi that changes its access point
 * or scans is back sooner; and it is less than the default wait, which such a user therefore never feels.
 */
const AUDIO_LOST_MS = 600;

/** @param until a time that has come. @param heardUntil end of the newest window. @returns whether the sound up to then is in. */
export function wasHeard(until: number, heardUntil: number): boolean {
  return heardUntil >= until - USUAL_AUDIO_LAG_MS;
}

export function isAudioLost(heardUntil: number, now: number): boolean {
  return now >= heardUntil + AUDIO_LOST_MS;
}

/**
 * Whether the recognizer may be asked for its final text. That cuts the utterance: in the middle of a word, if the voice has
 * gone on in sound that is late. Where no sound comes, the turn may still go on, but its words are wanted.
 * @param neededAt when the final has to be asked for.
 */
export function isPauseHeard(neededAt: number, heardUntil: number, now: number): boolean {
  return wasHeard(neededAt, heardUntil) || now >= heardUntil + WINDOWS_STALLED_MS;
}
