import { FRAME_MS } from '../media/audio-format.ts';

/**
 * A network that is held up delivers late what was said meanwhile. So long it is awaited: less than the time after which a voice
 * has stopped for the session (400 ms, `actors/vad/vad-actions.ts`).
 */
const AWAITED_MS = 300;
/** Who is silent for longer was not held up: what comes then is in time. */
const MAX_HELD_UP_MS = 5_000;
/** Longer messages are recordings, whose pauses are as long as they should be. */
const MAX_OF_STREAM_MS = 500;
/** So much may wait while a stream is in time: what comes together, and the jitter of a network. */
const RESERVE_MS = 100;
/** Silence between words; a shorter one may be inside of a word. */
const PAUSE_FRAMES = 10;
/** Peak of a quiet room, -46 dBFS. Softer speech is not understood. */
const QUIET = 164;

/**
 * How late a stream of sound is played out. What is awaited in vain is made up for by silence, and then all that follows would be
 * late until the client falls silent by itself: after a network that stood still for two seconds, an interruption stopped the
 * persona two seconds later, for the rest of the call. So silence that was made up is left out of the next pauses.
 */
export class PlayoutDelay {
  #cameAt = Number.NEGATIVE_INFINITY;
  #madeUpMs = 0;
  #quietFrames = 0;

  /** When what did not come is made up for. */
  get until(): number {
    return this.#cameAt + AWAITED_MS;
  }

  /** A message with so much sound. */
  came(ms: number, now: number): void {
    this.#cameAt = now;
    if (ms > MAX_OF_STREAM_MS) this.#madeUpMs = 0;
  }

  /** A frame of silence stands for sound that did not come. */
  madeUp(now: number): void {
    this.#madeUpMs = now - this.#cameAt > MAX_HELD_UP_MS ? 0 : this.#madeUpMs + FRAME_MS;
    this.#quietFrames = 0;
  }

  /** @param waitingMs of sound behind it. @returns whether this frame is not heard. */
  leavesOut(frame: Int16Array, waitingMs: number): boolean {
    this.#quietFrames = isQuiet(frame) ? this.#quietFrames + 1 : 0;
    if (this.#quietFrames <= PAUSE_FRAMES || this.#madeUpMs === 0 || waitingMs <= RESERVE_MS) return false;
    this.#madeUpMs -= FRAME_MS;
    return true;
  }
}

function isQuiet(frame: Int16Array): boolean {
  return frame.every((sample) => sample > -QUIET && sample < QUIET);
}
