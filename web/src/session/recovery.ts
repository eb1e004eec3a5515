/**
 * Decides when a broken connection is restarted and when it is given up. It only decides: `restart` makes the offer.
 * The numbers are those of the public clients, so the console recovers as they do.
 */
const GRACE_MS = 2_000;
const ANSWER_TIMEOUT_MS = 6_000;
const MAX_ATTEMPTS = 3;

export interface RecoveryActions {
  restart(attempt: number): void;
  giveUp(): void;
}

export interface Timers {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}

export class Recovery {
  #timer: unknown = null;
  #attempts = 0;
  readonly #actions: RecoveryActions;
  readonly #timers: Timers;

  constructor(actions: RecoveryActions, timers: Timers) {
    this.#actions = actions;
    this.#timers = timers;
  }

  /** @param state as the peer connection reports it. */
  connectionStateChanged(state: RTCIceConnectionState): void {
    if (state === 'connected' || state === 'completed') {
      this.stop();
      this.#attempts = 0;
    } else if (state === 'disconnected' && this.#timer === null) {
      // Most short gaps end by themselves.
      this.#after(GRACE_MS, () => this.#attempt());
    } else if (state === 'failed') {
      this.#attempt();
    }
  }

  stop(): void {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #attempt(): void {
    this.stop();
    if (this.#attempts === MAX_ATTEMPTS) return this.#actions.giveUp();
    this.#attempts += 1;
    // Without success in this time, the next attempt follows.
    this.#after(ANSWER_TIMEOUT_MS, () => this.#attempt());
    this.#actions.restart(this.#attempts);
  }

  #after(ms: number, run: () => void): void {
    this.#timer = this.#timers.setTimeout(() => {
      this.#timer = null;
      run();
    }, ms);
  }
}
