import { TOLERABLE_LOSS } from './sustained-loss.ts';

/**
 * If the round trip is shorter than this, ms, a requested retransmission comes in time and a lost packet is hardly
 * visible.
 */
const FROM_ROUND_TRIP_MS = 60;
/**
 * Below this rate, bits per second, one large packet takes half the time of a frame, and a retransmission waits
 * behind frames. In simulations, proactive RTX changes nothing from 500 kbit/s on.
 */
const NARROW_BELOW = 480_000;
/** A network that has lost little for so long is trusted again. */
const TRUSTED_AFTER_MS = 5_000;

/** What was reported of late. */
export interface PathConditions {
  /** 0…1 of the packets. */
  readonly loss: number;
  readonly roundTripMs: number;
  /** The capacity when the network was last full, bits per second; infinite if it never was. */
  readonly carried: number;
  /** Whether packets wait on the way. */
  readonly isOverused: boolean;
}

/**
 * Whether packets of the video should go out a second time before anybody asks. Where a network is narrow and the way
 * long, a retransmission that is asked for comes 0.2 s after its turn, and a second loss or a short queue makes a
 * freeze of it. On a wider network it does not pay. Pure: engine times are given.
 */
export class ProactiveRtx {
  /** The last time at which they would have helped; null while they are off. */
  #helpedAt: number | null = null;

  get areOn(): boolean {
    return this.#helpedAt !== null;
  }

  saw({ loss, roundTripMs, carried, isOverused }: PathConditions, now: number): void {
    if (carried >= NARROW_BELOW) return this.reset();
    const help = roundTripMs >= FROM_ROUND_TRIP_MS && loss > TOLERABLE_LOSS;
    // What begins with a queue is lost because too much is sent.
    if (help && (this.areOn || !isOverused)) this.#helpedAt = now;
    else if (this.#helpedAt !== null && now - this.#helpedAt >= TRUSTED_AFTER_MS) this.#helpedAt = null;
  }

  /** Another path. */
  reset(): void {
    this.#helpedAt = null;
  }
}
