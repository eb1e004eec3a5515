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

export class CaptureClock {
  #last: { raw: number; extended: number } | null = null;
  #bucketStart = 0;
  #leastNow = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;

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
    this.#leastNow = Number.POSITIVE_INFINITY;
    this.#leastBefore = Number.POSITIVE_INFINITY;
  }

  get #offset(): number {
    return Math.min(this.#leastNow, this.#leastBefore);
  }

  #extend(rtpTimestamp: number): number {
    if (this.#last === null) return rtpTimestamp;
    return this.#last.extended + ((rtpTimestamp - this.#last.raw) | 0);
  }
}
