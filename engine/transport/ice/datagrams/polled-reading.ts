import { systemTimers, type Timers } from '../../../../runtime/clock.ts';

/**
 * Packets of media wait for each other for so long, ms, once there are many. With what waits behind the front
 * (engine/audio-in/receive/packet-batch.ts) it is no more than 12 ms. With 4 ms each, an idle session took 1.76 % of a core instead of 1.56 (`bench/video-sessions`).
 */
export const POLL_MS = 6;

/** Node's own object of a UDP socket. */
export interface SocketHandle {
  readonly fd: number;
  recvStart(): void;
  recvStop(): void;
}

/**
 * How the public port is read. A packet that comes alone is read at once, and so is all that is not media (checks,
 * handshakes, messages). When packets of media come in less than `POLL_MS` after each other, the event loop is not woken
 * for each of them: all are read together every `POLL_MS`, until there is none or something else came. To be woken costs
 * more than what a packet needs.
 */
export class PolledReading {
  readonly #handle: SocketHandle;
  readonly #readAll: () => number;
  readonly #timers: Timers;
  #mode: 'when they come' | 'polled' | 'closed' = 'when they come';
  #timer: unknown = null;
  #lastAt = Number.NEGATIVE_INFINITY;
  #other: 'none' | 'came' = 'none';

  constructor(handle: SocketHandle, { readAll }: { readAll: () => number }, timers: Timers = systemTimers) {
    this.#handle = handle;
    this.#readAll = readAll;
    this.#timers = timers;
  }

  /**
   * The earliest time at which what is read now can have come; null: it has come just now. What a client has sent before
   * it got a message must not count as its answer.
   */
  get earliest(): number | null {
    return this.#mode === 'polled' ? this.#lastAt : null;
  }

  /** A packet was read. */
  came(isMedia: boolean): void {
    if (!isMedia) this.#other = 'came';
    if (this.#mode !== 'when they come') return;
    const now = this.#timers.now();
    const isBusy = isMedia && now - this.#lastAt < POLL_MS;
    this.#lastAt = isMedia ? now : Number.NEGATIVE_INFINITY;
    if (!isBusy) return;
    this.#mode = 'polled';
    this.#handle.recvStop();
    this.#poll();
  }

  close(): void {
    this.#mode = 'closed';
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #poll(): void {
    this.#timer = this.#timers.setTimeout(() => {
      this.#timer = null;
      this.#other = 'none';
      const now = this.#timers.now();
      const count = this.#readAll();
      this.#lastAt = now;
      if (this.#mode !== 'polled') return;
      if (count > 0 && this.#other === 'none') return this.#poll();
      this.#mode = 'when they come';
      this.#handle.recvStart();
    }, POLL_MS);
  }
}
