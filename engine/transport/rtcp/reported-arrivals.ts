import type { ReportBlock } from './parse-feedback.ts';

/**
 * The shortest of so many round trips is the time of the path alone: the others waited for a busy machine. Reports come
 * about every second.
 */
const ROUND_TRIPS_KEPT = 8;
/** Units of the middle 32 bits of an NTP time, per ms. */
const NTP_UNITS_PER_MS = 65_536 / 1_000;
/** Longer than any round trip: such a report answers something else. */
const MAX_ROUND_TRIP_MS = 10_000;

/**
 * What report blocks (RFC 3550, section 6.4) tell of arrivals. Clients without transport-wide feedback report nothing
 * else, and these only a few times every five seconds. Pure: engine times are given.
 */
export class ReportedArrivals {
  #arrivedUpTo: number | null = null;
  #reachedAt: number | null = null;
  #roundTrips: number[] = [];

  /** Everything sent up to this time is known to have arrived; null when nothing is known. */
  get arrivedUpTo(): number | null {
    return this.#arrivedUpTo;
  }

  /** When the latest packet was sent that is known to have arrived; null: there is none. */
  get reachedAt(): number | null {
    return this.#reachedAt;
  }

  /** The round-trip time, ms; infinite before the first report that tells it. */
  get roundTripMs(): number {
    return Math.min(...this.#roundTrips, Number.POSITIVE_INFINITY);
  }

  /**
   * @param sentAt when the block's highest sequence number was sent; null: it is not known any more.
   * @param ntpMiddle the middle 32 bits of the NTP time of now.
   */
  reported(block: ReportBlock, sentAt: number | null, ntpMiddle: number): void {
    if (sentAt !== null) {
      this.#reachedAt = Math.max(this.#reachedAt ?? sentAt, sentAt);
      // What caused a gap may have lost something else on the same path.
      if (block.fractionLost === 0) this.#arrivedUpTo = Math.max(this.#arrivedUpTo ?? sentAt, sentAt);
    }
    if (block.lastSenderReport === 0) return;
    const roundTripMs = ((ntpMiddle - block.lastSenderReport - block.sinceSenderReport) >>> 0) / NTP_UNITS_PER_MS;
    if (roundTripMs <= MAX_ROUND_TRIP_MS)
      this.#roundTrips = [...this.#roundTrips, roundTripMs].slice(-ROUND_TRIPS_KEPT);
  }

  /** On another path, the round-trip time of the old one means nothing. */
  pathChanged(): void {
    this.#roundTrips = [];
  }
}
