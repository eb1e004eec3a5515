import type { AudioWindow } from '../receive/user-audio.ts';

/**
 * Which windows the VAD's model need not judge: those of a room in which nobody has spoken for half a second, as quiet as
 * that room was. A third of an idle session's cost is this model.
 */

/** A window is the room alone if the model is so sure of it. */
const ROOM_PROBABILITY = 0.1;
/** Each window of the room counts for a tenth of its mean level: a third of a second of memory. */
const ROOM_WEIGHT = 0.1;
/** Steady noise varies by less from window to window. A voice that adds less is not louder than the noise. */
const ABOVE_ROOM_DB = 2;
/** 0.5 s of the room before the model rests. */
const REST_AFTER_WINDOWS = 16;

/** Follows one session's sound. */
export class VadGate {
  #roomDb: number | null = null;
  #quietWindows = 0;

  /** Whether the window needs no judgment: nobody speaks in it. */
  includes({ levelDb, follows }: Pick<AudioWindow, 'levelDb' | 'follows'>): boolean {
    const rests = follows === 'previous' && this.#quietWindows >= REST_AFTER_WINDOWS && this.#isQuiet(levelDb);
    // The room may become quieter meanwhile, but not louder: a voice that swells slowly is judged.
    if (rests && levelDb < this.#roomDb!) this.#follow(levelDb);
    return rests;
  }

  /** What the model said of a window. */
  judged({ levelDb }: Pick<AudioWindow, 'levelDb'>, probability: number): void {
    if (probability >= ROOM_PROBABILITY) {
      this.#quietWindows = 0;
      return;
    }
    this.#quietWindows = this.#isQuiet(levelDb) ? this.#quietWindows + 1 : 0;
    this.#follow(levelDb);
  }

  #isQuiet(levelDb: number): boolean {
    return this.#roomDb !== null && levelDb <= this.#roomDb + ABOVE_ROOM_DB;
  }

  #follow(levelDb: number): void {
    this.#roomDb = this.#roomDb === null ? levelDb : this.#roomDb + ROOM_WEIGHT * (levelDb - this.#roomDb);
  }
}
