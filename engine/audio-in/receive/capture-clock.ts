import { SAMPLES_PER_MS } from '../../media/audio-format.ts';

/**
 * Converts a sound's RTP timestamp to the engine time at which it was captured. The fastest packets of the last seconds
 * give the offset between the sender's clock and ours: jitter only ever adds delay, so it does not change the result.
 */

/**
 * The offset is the minimum of this bucket and the one before. So clocks that drift by 100 ppm are followed within 1
 * ms.
 */
const BUCKET_MS = 5_000;
/** A packet that seems this late or early belongs to a new count of timestamps, not to a slow network. */
const FOREIGN_MS = 10_000;
/**
 * After a silence of so long, a sender may go on with the next timestamp: its clock stood still with its microphone. A network
 * that was held up delivers what it kept faster than it was said; such a sender's packets stay as late as the first one.
 */
const STILL = { silentMs: 1_000, watchMs: 200, catchesUpMs: 100 } as const;

export class CaptureClock {
  #last: { raw: number; extended: number } | null = null;
  #bucketStart = 0;
  #leastNow = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #lastArrivedAt = Number.POSITIVE_INFINITY;
  /** The first packet after a silence, if it seems late. */
  #resumed: { readonly at: number; readonly offset: number } | null = null;

  /**
   * Takes a packet into account.
   * @param rtpTimestamp of its first sample, 32 bits. @param samples its length at 48 kHz. @param arrivedAt engine
   * time.
   * @returns the timestamp, extended beyond 32 bits.
   */
  observe(rtpTimestamp: number, samples: number, arrivedAt: number): number {
    let start = this.#extend(rtpTimestamp);
    let offset = arrivedAt - (start + samples) / SAMPLES_PER_MS;
    if (Math.abs(offset - this.#offset) > FOREIGN_MS) {
      this.restart();
      start = this.#extend(rtpTimestamp);
      offset = arrivedAt - (start + samples) / SAMPLES_PER_MS;
    }
    if (this.#stoodStill(offset, arrivedAt)) this.#forgetOffset();
    this.#lastArrivedAt = arrivedAt;
    if (arrivedAt - this.#bucketStart > BUCKET_MS) {
      this.#leastBefore = this.#leastNow;
      this.#leastNow = Number.POSITIVE_INFINITY;
      this.#bucketStart = arrivedAt;
    }
    this.#leastNow = Math.min(this.#leastNow, offset);
    this.#last = { raw: rtpTimestamp, extended: start };
    return start;
  }

  /** @param timestamp extended, as `observe` returns it. @returns engine time at which that sample was captured. */
  timeOf(timestamp: number): number {
    return timestamp / SAMPLES_PER_MS + this.#offset;
  }

  /** Forgets everything: the sender's timestamps start anew. */
  restart(): void {
    this.#last = null;
    this.#resumed = null;
    this.#forgetOffset();
  }

  #forgetOffset(): void {
    this.#leastNow = Number.POSITIVE_INFINITY;
    this.#leastBefore = Number.POSITIVE_INFINITY;
  }

  /** @returns whether it is known just now that the sender's clock stood still. */
  #stoodStill(offset: number, arrivedAt: number): boolean {
    const { silentMs, watchMs, catchesUpMs } = STILL;
    if (arrivedAt - this.#lastArrivedAt > silentMs && offset - this.#offset > silentMs)
      this.#resumed = { at: arrivedAt, offset };
    const first = this.#resumed;
    if (first === null || arrivedAt - first.at < watchMs) return false;
    this.#resumed = null;
    return offset > first.offset - catchesUpMs;
  }

  get #offset(): number {
    return Math.min(this.#leastNow, this.#leastBefore);
  }

  #extend(rtpTimestamp: number): number {
    if (this.#last === null) return rtpTimestamp;
    return this.#last.extended + ((rtpTimestamp - this.#last.raw) | 0);
  }
}
