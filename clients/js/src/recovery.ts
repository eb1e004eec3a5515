import type { Timers } from './platform.ts';

/**
 * Decides when a broken connection is tried again, how, and when it is given up. It only decides: `attempt` makes the
 * offer.
 */

/** Most short gaps end by themselves. The public clients wait as long. */
const GRACE_MS = 2_000;
/** From the offer to a connection on a slow network: two round trips of signaling, ICE checks, DTLS. */
const ATTEMPT_MS = 5_000;
/** The service holds a session for 60 s. */
const MAX_ATTEMPTS = 12;
/** A restart that was answered so often and did not connect will not connect: the peer connection itself is broken. */
const ANSWERED_RESTARTS = 3;

/** The service can be moving a session for some seconds. Offers in between have this distance, ms. */
const MOVED_AGAIN_MS = 1_000;

/** `restart`: new ICE credentials for the same peer connection. `replace`: another peer connection. */
export type Attempt = 'restart' | 'replace';

export interface RecoveryActions {
  readonly attempt: (how: Attempt) => void;
  /** A restart besides: nothing is known to be broken yet. */
  readonly restart: () => void;
  readonly giveUp: () => void;
}

export class Recovery {
  readonly #actions: RecoveryActions;
  readonly #timers: Timers;
  #timer: unknown = null;
  #attempts = 0;
  #answered = 0;
  #state: 'fine' | 'grace' | 'trying' | 'stopped' = 'fine';
  /** `again`: it moved once more since the last restart for that. */
  #moved: 'no' | 'just now' | 'again' = 'no';
  #movedTimer: unknown = null;

  constructor(actions: RecoveryActions, timers: Timers) {
    this.#actions = actions;
    this.#timers = timers;
  }

  /** Whether nothing is known to be broken. */
  get isFine(): boolean {
    return this.#state === 'fine';
  }

  connected(): void {
    if (this.#state === 'stopped') return;
    this.#enter('fine');
    this.#attempts = 0;
    this.#answered = 0;
  }

  disconnected(): void {
    if (this.#state === 'fine') this.#enter('grace', GRACE_MS);
  }

  /** ICE has given up. */
  failed(): void {
    if (this.#state !== 'fine' && this.#state !== 'grace') return;
    // A restart is on its way already: another one would only take its place, and begin again.
    if (this.#moved === 'no') this.#try('restart');
    else this.#enter('trying', ATTEMPT_MS);
  }

  /**
   * The session goes on in another process, or only its signaling does. In the first case nothing comes any more, and ICE
   * would notice that after seconds. In the second one a restart disturbs nothing.
   */
  moved(): void {
    if (this.#state === 'trying' || this.#state === 'stopped') return;
    if (this.#moved !== 'no') return void (this.#moved = 'again');
    this.#moved = 'just now';
    this.#movedTimer = this.#timers.set(() => {
      const again = this.#moved === 'again';
      this.#moved = 'no';
      if (again) this.moved();
    }, MOVED_AGAIN_MS);
    this.#actions.restart();
  }

  /** DTLS has given up: this peer connection never works again. */
  peerDied(): void {
    if (this.#state !== 'stopped') this.#try('replace');
  }

  /** The service answered the offer of this attempt. */
  answered(): void {
    if (this.#state === 'trying') this.#answered += 1;
  }

  /** The browser says that a network is there again: why wait? */
  online(): void {
    if (this.#state === 'grace' || this.#state === 'trying') this.#next();
  }

  stop(): void {
    this.#timers.clear(this.#movedTimer);
    this.#enter('stopped');
  }

  #next(): void {
    this.#try(this.#answered >= ANSWERED_RESTARTS ? 'replace' : 'restart');
  }

  #try(how: Attempt): void {
    if (this.#attempts === MAX_ATTEMPTS) {
      this.stop();
      return this.#actions.giveUp();
    }
    this.#attempts += 1;
    this.#enter('trying', ATTEMPT_MS);
    this.#actions.attempt(how);
  }

  /** @param ms after which the next attempt follows. */
  #enter(state: 'fine' | 'grace' | 'trying' | 'stopped', ms?: number): void {
    this.#timers.clear(this.#timer);
    this.#state = state;
    this.#timer = ms === undefined ? null : this.#timers.set(() => this.#next(), ms);
  }
}
