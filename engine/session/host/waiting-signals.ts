import type { ServerAction } from '../../signaling/index.ts';

/** A client that had no socket for a while gets at most this many signals. */
export const MAX_WAITING_SIGNALS = 32;

interface WaitingSignal {
  readonly action: ServerAction;
  readonly payload: unknown;
}

/** Signals of a session that no client can receive at the moment, in order and limited. The same warning waits once. */
export class WaitingSignals {
  readonly #waiting: WaitingSignal[] = [];

  push(action: ServerAction, payload: unknown): void {
    if (
      action === 'warning' &&
      this.#waiting.some((signal) => signal.action === 'warning' && signal.payload === payload)
    )
      return;
    this.#waiting.push({ action, payload });
    if (this.#waiting.length <= MAX_WAITING_SIGNALS) return;
    // Clients act on the others.
    const expendable = this.#waiting.findIndex((signal) => signal.action === 'warning');
    this.#waiting.splice(Math.max(0, expendable), 1);
  }

  /** Passes them on until `send` refuses one. */
  flush(send: (action: ServerAction, payload: unknown) => boolean): void {
    while (this.#waiting[0] !== undefined && send(this.#waiting[0].action, this.#waiting[0].payload))
      this.#waiting.shift();
  }
}
