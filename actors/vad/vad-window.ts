/** Length of a window: 512 samples at 16 kHz, what the voice activity model takes. */
export const WINDOW_MS = 32;

/** What is known of 32 ms of the user's audio: all that turn-taking ever sees of sound. */
export interface VadWindow {
  /** That somebody speaks in it, 0…1. */
  readonly probability: number;
  /** Mean power, dB below full scale: −100…0; −Infinity for what was never heard. */
  readonly levelDb: number;
  /** When its last sample was captured, ms. */
  readonly endsAt: number;
  /** How far into it the sound is loud, ms, for the moment at which a voice ended; left out: all of it. */
  readonly loudMs?: number;
}
