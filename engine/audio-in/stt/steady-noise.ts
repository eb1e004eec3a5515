import type { VadWindow } from '../../../actors/vad/vad-window.ts';

/**
 * Whether steady noise (a fan, hiss, hum) is so loud that recognition gets the filtered sound. Filters make words worse in a
 * quiet room and beside other voices, and better in such noise (`bench/noise/`).
 */

/** Windows below this are the room alone; above 0.5 somebody speaks. Voices in the background are between or above. */
const ROOM_PROBABILITY = 0.1;
const VOICE_PROBABILITY = 0.5;
/** A third of a second of the room. Means of decibels hardly notice clicks. */
const ROOM_WEIGHT = 0.1;
/** The loudest windows of a voice after the gain control of a browser, until one is heard. dBFS */
const USUAL_PEAK_DB = -15;
/** The peak follows a speaker who goes away: 1 dB for a second of speech. */
const PEAK_FADES_DB = 1 / 31;
/** From the room to the loudest window: recordings of people have 28 to 33 dB, with white noise at 10 dB 12 to 17. */
const NOISY_BELOW_DB = 18;

/** Follows one session's sound. */
export class SteadyNoise {
  #roomDb: number | null = null;
  #peakDb = USUAL_PEAK_DB;

  hear({ probability, levelDb }: Pick<VadWindow, 'probability' | 'levelDb'>): void {
    if (probability >= VOICE_PROBABILITY) this.#peakDb = Math.max(levelDb, this.#peakDb - PEAK_FADES_DB);
    if (probability >= ROOM_PROBABILITY || !Number.isFinite(levelDb)) return;
    this.#roomDb = this.#roomDb === null ? levelDb : this.#roomDb + ROOM_WEIGHT * (levelDb - this.#roomDb);
  }

  get isLoud(): boolean {
    return this.#roomDb !== null && this.#peakDb - this.#roomDb < NOISY_BELOW_DB;
  }
}
