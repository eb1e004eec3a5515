import type { TransportFeedback } from '../rtcp/transport-feedback.ts';
import { FeedbackHistory, type FeedbackSummary } from './feedback-history.ts';
import { ProbeController } from './probe-controller.ts';
import { ProactiveRtx } from './proactive-rtx.ts';
import { HEAVY_LOSS, SustainedLoss, TOLERABLE_LOSS } from './sustained-loss.ts';
import {
  beginOveruse,
  besideRtx,
  CALM_QUEUE_MS,
  isOverused,
  stepOveruse,
  type OveruseState,
} from './delay-based-estimator.ts';

/** bits per second */
export const START_BITRATE = 500_000;
export const MIN_BITRATE = 150_000;
/** Ceiling of the largest frame. */
export const MAX_BITRATE = 4_500_000;
/** The rate for clients that report neither packet arrivals nor a limit. Most networks can carry it. */
export const BLIND_BITRATE = 2_000_000;

/** After a decrease because of loss, the next one waits this long, so that the first can take effect. */
const BACKOFF_GAP_MS = 300;
/**
 * For this long, no probes go to a network that loses packets: on a narrow link, retransmissions would wait behind a
 * probe.
 */
const PROBE_ON_LOSSY_NETWORK_MS = 8_000;
/** Growth per second. 500 kbit/s become 2 Mbit/s within 10 s. */
const GROWTH_PER_SECOND = 0.15;
/**
 * The capacity above the received rate is unknown. So growth stops at this factor of the received rate, and at a rate
 * that filled a queue.
 */
const HEADROOM = 1.5;
const HEADROOM_BITS = 150_000;
/** No loss for this long. At 5 % of random loss, this happens by chance one time in twenty. */
const LOSS_OVER_MS = 1_500;
/** Without feedback on arrivals for this long, limits and loss reports count instead. */
const FEEDBACK_TIMEOUT_MS = 2_000;
/**
 * What frames keep of the rate while proactive RTX goes out beside them, and the least of it: below, there would be
 * fewer frames (face/worker/narrow-network.ts).
 */
const SHARE_BESIDE_PROACTIVE_RTX = 0.75;
const MIN_BESIDE_PROACTIVE_RTX = 180_000;
/** A large packet takes 24 ms by itself on 400 kbit/s, and Chromium looks every 20 ms for what it lacks. */
const ANSWER_SLACK_MS = 40;
/** The encoder is not told about smaller changes. */
const MIN_CHANGE = 0.05;

export interface CongestionControllerOptions {
  /** bits per second: what the video can use at most. @defaultValue `MAX_BITRATE` */
  readonly ceiling?: number;
  /** `auto` follows the network; `high` stays at the ceiling unless much is lost for long. @defaultValue 'auto' */
  readonly quality?: 'auto' | 'high';
}

/**
 * What the network is thought to carry for video. With transport-wide feedback: grow while queues on the way are short,
 * find out by probes what was never sent, fall below what gets through when queues fill or packets are lost. Without it
 * the receiver's own limit (REMB) rules, and without that its loss reports. Pure: engine times are given. Each input
 * returns a new estimate to act upon, or null.
 */
export class CongestionController {
  readonly #ceiling: number;
  readonly #quality: 'auto' | 'high';
  readonly #arrivals = new FeedbackHistory();
  readonly #probe = new ProbeController();
  readonly #sustainedLoss = new SustainedLoss();
  /** Null if there are none. */
  #early: ProactiveRtx | null = null;
  #bitrate = START_BITRATE;
  #announced: number | null = null;
  #mode: 'start' | 'arrivals' | 'limit' | 'loss' = 'start';
  #feedbackAt = Number.NEGATIVE_INFINITY;
  #updatedAt: number | null = null;
  #backedOffAt = Number.NEGATIVE_INFINITY;
  /** Set while packets are queued on the path. */
  #overuse: OveruseState | null = null;
  /** The received rate when a queue was full; infinite if no queue was full since a probe found more capacity. */
  #full = Number.POSITIVE_INFINITY;
  #network: 'calm' | 'lossy' | 'troubled' = 'troubled';

  constructor(options: CongestionControllerOptions = {}) {
    this.#ceiling = options.ceiling ?? MAX_BITRATE;
    this.#quality = options.quality ?? 'auto';
    if (this.#quality === 'high') this.#bitrate = this.#ceiling;
  }

  /** For all of the video stream, bits per second. */
  get bitrate(): number {
    return Math.round(this.#bitrate);
  }

  /** The part of it that is for the encoder. */
  get videoBitrate(): number {
    return Math.round(
      this.#early?.areOn
        ? Math.max(Math.min(this.#bitrate, MIN_BESIDE_PROACTIVE_RTX), this.#bitrate * SHARE_BESIDE_PROACTIVE_RTX)
        : this.#bitrate,
    );
  }

  /** What frames and proactive RTX may take together, bits per second; 0 while there are to be none. */
  get proactiveRtxBitrate(): number {
    return this.#early?.areOn && this.#overuse === null ? this.bitrate : 0;
  }

  /** Whether proactive RTX is possible. */
  allowProactiveRtx(may: boolean): void {
    this.#early = may ? new ProactiveRtx() : null;
  }

  /** A frame of this size is being sent. @returns how many bytes of padding are to follow it. */
  padding(frameBytes: number, now: number): number {
    if (this.#mode !== 'arrivals' || !this.#hasArrivals(now) || this.#pinned) return 0;
    const mayAsk =
      this.#network === 'calm' || (this.#network === 'lossy' && now - this.#probe.failedAt > PROBE_ON_LOSSY_NETWORK_MS);
    return this.#probe.padding(now, frameBytes, this.#bitrate, this.#ceiling, mayAsk);
  }

  /** Everything sent up to this time is known to have reached the client; null when nothing is. */
  get arrivedUpTo(): number | null {
    return this.#arrivals.arrivedUpTo;
  }

  /** When the latest packet that is known to have reached the client was sent; null: none is. */
  get reachedAt(): number | null {
    return this.#arrivals.reachedAt;
  }

  /** If a client requests a packet sooner than this after it was sent, ms, the packet may still be on its way. */
  get answeredAfterMs(): number {
    return this.#arrivals.roundTripMs + ANSWER_SLACK_MS;
  }

  /** The round-trip time without queues, ms; infinite before the first report. */
  get shortestRoundTripMs(): number {
    return this.#arrivals.shortestRoundTripMs;
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
    this.#sustainedLoss.saw(seen.loss, now);
    this.#network =
      seen.queueMs >= CALM_QUEUE_MS || seen.loss > HEAVY_LOSS
        ? 'troubled'
        : seen.loss > TOLERABLE_LOSS && seen.lossFreeMs < LOSS_OVER_MS
          ? 'lossy'
          : 'calm';
    this.#early?.saw(
      {
        loss: seen.loss,
        roundTripMs: this.#arrivals.roundTripMs,
        carried: this.#full,
        isOverused: this.#network === 'troubled',
      },
      now,
    );
    if (this.#pinned) this.#set(this.#ceiling);
    else this.#follow(seen, now);
    this.#updatedAt = now;
    return this.#announce();
  }

  #follow(seen: FeedbackSummary, now: number): void {
    const found = this.#probe.reported(seen.results, now);
    if (this.#overuse === null && isOverused(seen, this.#bitrate))
      this.#overuse = beginOveruse(this.#bitrate, this.#full, seen, now);
    if (this.#overuse !== null) this.#empty(this.#overuse, seen, now);
    else if (seen.loss > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - seen.loss / 2), now);
    else if (found !== null) {
      this.#full = found.isAll ? found.bitsPerSecond : Number.POSITIVE_INFINITY;
      this.#set(Math.max(this.#bitrate, found.isAll ? besideRtx(found.bitsPerSecond, seen.loss) : found.bitsPerSecond));
    } else if (this.#network !== 'troubled') {
      const loss = this.#network === 'lossy' ? seen.loss : 0;
      this.#grow(now, Math.min(besideRtx(this.#full, loss), seen.acknowledgedBitrate * HEADROOM + HEADROOM_BITS));
    }
  }

  #empty(begun: OveruseState, seen: FeedbackSummary, now: number): void {
    const { drain, carried, bitrate, state } = stepOveruse(begun, seen, this.#arrivals.roundTripMs, now);
    this.#backedOffAt = now;
    this.#probe.abandon(now);
    this.#set(bitrate);
    this.#overuse = state === 'draining' ? drain : null;
    if (state !== 'draining') this.#full = carried;
    if (state === 'longer way') this.#arrivals.rebase(now);
  }

  /** REMB. */
  receiverLimit(bitsPerSecond: number, now: number): number | null {
    if (this.#hasArrivals(now) || this.#pinned) return null;
    this.#mode = 'limit';
    this.#set(bitsPerSecond);
    return this.#announce();
  }

  /** @param fraction 0…1 of the packets since the last report. */
  lossReport(fraction: number, now: number): number | null {
    if (this.#hasArrivals(now) || this.#mode === 'limit') return null;
    this.#sustainedLoss.saw(fraction, now);
    if (this.#mode !== 'loss') this.#set(this.#quality === 'high' ? this.#ceiling : BLIND_BITRATE);
    this.#mode = 'loss';
    if (this.#pinned) this.#set(this.#ceiling);
    else if (fraction > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - fraction / 2), now);
    else if (fraction < TOLERABLE_LOSS) this.#grow(now, BLIND_BITRATE);
    this.#updatedAt = now;
    return this.#announce();
  }

  /**
   * Call it when the path changes: delays measured on the old path do not apply to the new one. The rate stays until
   * reports change it.
   */
  pathChanged(now: number): void {
    this.#arrivals.reset();
    this.#probe.abandon(now);
    this.#overuse = null;
    this.#full = Number.POSITIVE_INFINITY;
    this.#early?.reset();
    this.#updatedAt = null;
  }

  get #pinned(): boolean {
    return this.#quality === 'high' && !this.#sustainedLoss.isSustained;
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
    this.#probe.abandon(now);
    this.#set(bitrate);
  }

  #set(bitrate: number): void {
    this.#bitrate = Math.max(MIN_BITRATE, Math.min(this.#ceiling, bitrate));
  }

  #announce(): number | null {
    const before = this.#announced;
    const bitrate = this.videoBitrate;
    if (before !== null && Math.abs(bitrate - before) < before * MIN_CHANGE) return null;
    this.#announced = bitrate;
    return bitrate;
  }
}
