import type { Timers } from '../../runtime/clock.ts';

/** 16 kHz. */
const SILENCE = new Int16Array(1_600);
const EVERY_MS = 100;
/** Later than any packet. */
const NOTHING_FOR_MS = 200;

/**
 * A muted microphone sends nothing, but a model that decides about turns knows by silence that the user has finished: it is
 * sent some, 100 ms at a time.
 */
export class SilenceFiller {
  readonly #timers: Timers;
  readonly #send: (silence: Int16Array) => void;
  readonly #longestMs: number;
  #timer: unknown = null;
  #sentMs = 0;

  /** @param longestMs after which nothing more is sent until the user is heard again. */
  constructor(timers: Timers, send: (silence: Int16Array) => void, longestMs = Infinity) {
    this.#timers = timers;
    this.#send = send;
    this.#longestMs = longestMs;
  }

  /** The user's own sound was sent. */
  heard(): void {
    this.#sentMs = 0;
    this.#after(NOTHING_FOR_MS);
  }

  close(): void {
    this.#timers.clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    this.#timers.clearTimeout(this.#timer);
    if (this.#sentMs >= this.#longestMs) return;
    this.#timer = this.#timers.setTimeout(() => {
      this.#send(SILENCE);
      this.#sentMs += EVERY_MS;
      this.#after(EVERY_MS);
    }, ms);
  }
}
