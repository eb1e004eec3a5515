import type { TransportFeedback } from '../rtcp/transport-feedback.ts';
import { ArrivalHistory } from './arrival-history.ts';

/** bits per second */
export const START_BITRATE = 500_000;
export const MIN_BITRATE = 150_000;
/** Ceiling of the largest picture; the face has lower ones of its own. */
export const MAX_BITRATE = 4_500_000;
/** For clients that report neither packet arrivals nor a limit: what most networks carry. */
export const BLIND_BITRATE = 2_000_000;

/** Packets wait this long in queues on the way: the network is full, send less than gets through. */
const FULL_QUEUE_MS = 60;
/** Up to here a wait is Wi-Fi's usual jitter and more can be tried. */
const CALM_QUEUE_MS = 25;
/** After a full queue: a little less than got through, so that the queue drains. */
const BACKOFF = 0.85;
/** Time for a decrease to show before the next one. */
const BACKOFF_GAP_MS = 300;
/** Growth per second. 500 kbit/s become 2 Mbit/s within 10 s. */
const GROWTH_PER_SECOND = 0.15;
/** What was never tried is not known: growth stops at this much above what gets through. */
const HEADROOM = 1.5;
const HEADROOM_BITS = 150_000;
/** Random loss up to here is the network's normal weather; repeats mend it. */
const TOLERABLE_LOSS = 0.02;
const HEAVY_LOSS = 0.1;
/** Without feedback on arrivals for this long, limits and loss reports count instead. */
const FEEDBACK_TIMEOUT_MS = 2_000;
/** Smaller changes are not worth a word to the encoder. */
const MIN_CHANGE = 0.05;

/**
 * What the network is thought to carry for video. With transport-wide feedback: grow while queues on the way are short,
 * fall below what gets through when they fill or when packets are lost. Without it the receiver's own limit (REMB) rules,
 * and without that its loss reports. Pure: engine times are given. Each input returns a new estimate to act upon, or null.
 */
export class BitrateController {
  readonly #arrivals = new ArrivalHistory();
  #bitrate = START_BITRATE;
  #announced: number | null = null;
  #mode: 'start' | 'arrivals' | 'limit' | 'loss' = 'start';
  #feedbackAt = Number.NEGATIVE_INFINITY;
  #updatedAt: number | null = null;
  #backedOffAt = Number.NEGATIVE_INFINITY;

  get bitrate(): number {
    return Math.round(this.#bitrate);
  }

  /** Everything sent up to this time is known to have reached the client; null when nothing is. */
  get arrivedUpTo(): number | null {
    return this.#arrivals.arrivedUpTo;
  }

  /** A packet with a transport-wide number left. @param bytes its size. */
  sent(sequence: number, bytes: number, at: number): void {
    this.#arrivals.sent(sequence, bytes, at);
  }

  transportFeedback(feedback: TransportFeedback, now: number): number | null {
    this.#feedbackAt = now;
    this.#mode = 'arrivals';
    const seen = this.#arrivals.feedback(feedback, now);
    if (!seen) return null;
    if (seen.queueMs > FULL_QUEUE_MS) this.#backOff(Math.min(this.#bitrate, seen.receivedBitrate) * BACKOFF, now);
    else if (seen.loss > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - seen.loss / 2), now);
    else if (seen.queueMs < CALM_QUEUE_MS && seen.loss < TOLERABLE_LOSS) this.#grow(now, seen.receivedBitrate * HEADROOM + HEADROOM_BITS);
    this.#updatedAt = now;
    return this.#announce();
  }

  /** REMB. */
  receiverLimit(bitsPerSecond: number, now: number): number | null {
    if (this.#hasArrivals(now)) return null;
    this.#mode = 'limit';
    this.#set(bitsPerSecond);
    return this.#announce();
  }

  /** @param fraction 0…1 of the packets since the last report. */
  lossReport(fraction: number, now: number): number | null {
    if (this.#hasArrivals(now) || this.#mode === 'limit') return null;
    if (this.#mode !== 'loss') this.#bitrate = BLIND_BITRATE;
    this.#mode = 'loss';
    if (fraction > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - fraction / 2), now);
    else if (fraction < TOLERABLE_LOSS) this.#grow(now, BLIND_BITRATE);
    this.#updatedAt = now;
    return this.#announce();
  }

  /** Another path: delays measured on the old one mean nothing on it. The rate is kept until it is known better. */
  pathChanged(): void {
    this.#arrivals.reset();
    this.#updatedAt = null;
  }

  #hasArrivals(now: number): boolean {
    return now - this.#feedbackAt < FEEDBACK_TIMEOUT_MS;
  }

  #grow(now: number, ceiling: number): void {
    if (this.#updatedAt === null || this.#bitrate >= ceiling) return;
    const seconds = Math.min(1, (now - this.#updatedAt) / 1_000);
    this.#set(Math.min(ceiling, this.#bitrate * (1 + GROWTH_PER_SECOND * seconds)));
  }

  #backOff(bitrate: number, now: number): void {
    if (now - this.#backedOffAt < BACKOFF_GAP_MS) return;
    this.#backedOffAt = now;
    this.#set(bitrate);
  }

  #set(bitrate: number): void {
    this.#bitrate = Math.max(MIN_BITRATE, Math.min(MAX_BITRATE, bitrate));
  }

  #announce(): number | null {
    const before = this.#announced;
    if (before !== null && Math.abs(this.#bitrate - before) < before * MIN_CHANGE) return null;
    this.#announced = this.#bitrate;
    return this.bitrate;
  }
}
