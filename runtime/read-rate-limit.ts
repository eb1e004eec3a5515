import type { Timers } from './clock.ts';
import { type Allowance, TokenBucket } from './token-bucket.ts';

/** Of a WebSocket. */
interface Pausable {
  readonly isPaused: boolean;
  pause(): void;
  resume(): void;
}

/** How fast a socket is read. Faster data wait in the network, where TCP slows down their sender. Nothing is lost. */
export interface ReadAllowances {
  readonly messages: Allowance;
  readonly bytes: Allowance;
}

/** Pauses a socket while more was read than the limit allows. */
export class ReadRateLimit {
  readonly #timers: Timers;
  readonly #messages: TokenBucket;
  readonly #bytes: TokenBucket;
  #resuming: unknown = null;

  constructor({ messages, bytes }: ReadAllowances, timers: Timers) {
    this.#timers = timers;
    this.#messages = new TokenBucket(messages, timers.now());
    this.#bytes = new TokenBucket(bytes, timers.now());
  }

  /** Counts a received message. @returns the time, ms. */
  note(socket: Pausable, bytes: number): number {
    const now = this.#timers.now();
    const ahead = Math.max(this.#messages.spend(1, now), this.#bytes.spend(bytes, now));
    if (ahead > 0 && !socket.isPaused) {
      socket.pause();
      this.#resuming = this.#timers.setTimeout(() => socket.resume(), ahead);
    }
    return now;
  }

  end(): void {
    this.#timers.clearTimeout(this.#resuming);
  }
}
