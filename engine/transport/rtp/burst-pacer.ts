import { systemTimers, type Timers } from '../../../runtime/clock.ts';

/**
 * A keyframe of 33 KB is 29 packets. Sent at once they overrun the queues of cheap routers and of Wi-Fi; a few at a
 * time they arrive within the same frame interval.
 */
const BURST_PACKETS = 10;
const BURST_GAP_MS = 3;
/** More than about two seconds of frames: the event loop has stalled, and late frames are useless. */
const MAX_QUEUED = 2_000;

/** Sends packets in small bursts, in order. */
export class BurstPacer<Packet> {
  readonly #send: (packet: Packet) => void;
  readonly #timers: Timers;
  #queue: Packet[] = [];
  #timer: unknown = null;

  constructor(send: (packet: Packet) => void, timers: Timers = systemTimers) {
    this.#send = send;
    this.#timers = timers;
  }

  push(packets: readonly Packet[]): void {
    this.#queue.push(...packets);
    if (this.#queue.length > MAX_QUEUED) this.#queue.splice(0, this.#queue.length - MAX_QUEUED);
    if (this.#timer === null) this.#burst();
  }

  /** Drops what waits. */
  clear(): void {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue = [];
  }

  #burst(): void {
    for (const packet of this.#queue.splice(0, BURST_PACKETS)) this.#send(packet);
    this.#timer = this.#queue.length === 0 ? null : this.#timers.setTimeout(() => this.#burst(), BURST_GAP_MS);
  }
}
