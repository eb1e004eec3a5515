import type { Fate } from './udp-relay.ts';

export interface LinkLimits {
  readonly bitsPerSecond: number;
  /** One way, ms. */
  readonly delayMs: number;
  /** 0…1 of the datagrams, at random. */
  readonly loss: number;
  /** How long a datagram may wait in the queue before it is dropped, ms: what common routers hold. */
  readonly queueMs: number;
}

/** Headers of IP and UDP, which a link carries, too. */
const HEADER_BYTES = 28;

/**
 * One direction of a link that is narrow, slow and lossy, as `tc` makes them with tbf and netem; for kernels without
 * these. Pure: times and random numbers are given.
 */
export class NarrowLink {
  readonly #limits: LinkLimits;
  readonly #random: () => number;
  #freeAt = 0;

  constructor(limits: LinkLimits, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Carries nothing for a while. What arrives meanwhile waits. */
  pause(ms: number, now: number): void {
    this.#freeAt = Math.max(this.#freeAt, now) + ms;
  }

  /** What happens to a datagram that arrives at `now`. */
  fate(bytes: number, now: number): Fate {
    const { bitsPerSecond, delayMs, loss, queueMs } = this.#limits;
    if (this.#freeAt - now > queueMs) return 'drop';
    this.#freeAt = Math.max(this.#freeAt, now) + ((bytes + HEADER_BYTES) * 8_000) / bitsPerSecond;
    return this.#random() < loss ? 'drop' : { delayMs: this.#freeAt - now + delayMs };
  }
}
