/** The share of the rate that retransmissions may take: enough for 20 % of random loss. */
const SHARE = 0.25;
/** Room for the packets of one lost keyframe. */
const BURST_BYTES = 12_000;

/**
 * How much may be retransmitted. If a queue overflows, retransmissions of what it dropped fill it again, and nothing
 * new gets through for seconds (measured at 400 kbit/s). Pure: engine times are given.
 */
export class RetransmissionBudget {
  #bytes = BURST_BYTES;
  #at: number | null = null;

  /**
   * @param bitsPerSecond what the network is thought to carry. @returns whether a packet of this size may be
   * retransmitted now.
   */
  take(bytes: number, bitsPerSecond: number, now: number): boolean {
    return this.#take(bytes, bitsPerSecond, now, 0);
  }

  /** The same for a second copy: half of the room is kept for the next requests. */
  takeSpare(bytes: number, bitsPerSecond: number, now: number): boolean {
    return this.#take(bytes, bitsPerSecond, now, BURST_BYTES / 2);
  }

  #take(bytes: number, bitsPerSecond: number, now: number, reserve: number): boolean {
    const earned = ((now - (this.#at ?? now)) * bitsPerSecond * SHARE) / 8_000;
    this.#at = now;
    this.#bytes = Math.min(BURST_BYTES, this.#bytes + earned);
    if (bytes > this.#bytes - reserve) return false;
    this.#bytes -= bytes;
    return true;
  }
}
