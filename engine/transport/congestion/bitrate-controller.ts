import type { TransportFeedback } from '../rtcp/transport-feedback.ts';
import { ArrivalHistory, type ArrivalSummary } from './arrival-history.ts';
import { BandwidthProbe } from './bandwidth-probe.ts';
import { LossPatience } from './loss-patience.ts';

/** bits per second */
export const START_BITRATE = 500_000;
export const MIN_BITRATE = 150_000;
/** Ceiling of the largest picture. */
export const MAX_BITRATE = 4_500_000;
/** For clients that report neither packet arrivals nor a limit: what most networks carry. */
export const BLIND_BITRATE = 2_000_000;

/** Packets wait this long in queues on the way: the network is full, send less than gets through. */
const FULL_QUEUE_MS = 60;
/** Up to here a wait is Wi-Fi's usual jitter and more can be tried. */
const CALM_QUEUE_MS = 25;
/** After a full queue: a little less than got through. Sound and repeats, which go the same way, need their part. */
const BACKOFF = 0.85;
/** While packets wait, so much less for each ms of it: 200 ms are gone after 0.7 s. At 0.85 alone a queue stood for seconds (measured at 400 kbit/s). */
const DRAIN_SHARE_PER_MS = 1 / 600;
/** A picture of less than this cannot be looked at. */
const LEAST_DRAIN_SHARE = 0.55;
/** Time for a decrease because of loss to show before the next one. */
const BACKOFF_GAP_MS = 300;
/** So long after a decrease nothing more is asked of the network. */
const PROBE_AFTER_BACKOFF_MS = 1_000;
/** The same while packets are lost: where one of a probe is, the picture stands still until it has been repeated. */
const PROBE_ON_LOSSY_NETWORK_MS = 8_000;
/** Packets that leave together and come out at less than this share of the rate, with a queue besides: the link has become narrow. */
const NARROW_SHARE = 0.5;
/** A burst that comes out at less is believed in any case: 10 ms for each packet are more than clocks and threads add. */
const NARROW_BITRATE = 1_000_000;
/** What carried so much when it was full last has not lost more than the rest of it since; where it has, the queue stays and it loses as much again. */
const LEAST_LEFT = 0.7;
/** A queue that has not moved for so long, and a way there and back, is none: the way has become longer. */
const DRAIN_SHOWS_MS = 500;
/** Less than this is no change. */
const SAME_QUEUE_MS = 15;
/** Growth per second. 500 kbit/s become 2 Mbit/s within 10 s. */
const GROWTH_PER_SECOND = 0.15;
/** What was never tried is not known: growth stops at this much above what gets through, and at what filled a queue. */
const HEADROOM = 1.5;
const HEADROOM_BITS = 150_000;
/** Random loss up to here is the network's normal weather; repeats mend it. */
const TOLERABLE_LOSS = 0.02;
const HEAVY_LOSS = 0.1;
/** Nothing lost for so long: at 5 % of random loss a matter of luck, one time in twenty. */
const LOSS_OVER_MS = 1_500;
/** Without feedback on arrivals for this long, limits and loss reports count instead. */
const FEEDBACK_TIMEOUT_MS = 2_000;
/** Smaller changes are not worth a word to the encoder. */
const MIN_CHANGE = 0.05;

export interface BitrateOptions {
  /** bits per second: what the picture can use at most. @defaultValue `MAX_BITRATE` */
  readonly ceiling?: number;
  /** `auto` follows the network; `high` stays at the ceiling unless much is lost for long. @defaultValue 'auto' */
  readonly quality?: 'auto' | 'high';
}

interface Draining {
  readonly kind: 'draining';
  /** The rate until then. */
  readonly before: number;
  /** The most that got through since packets began to wait, bits per second. */
  readonly received: number;
  /** The lowest rate of a burst meanwhile; repeats that join one make it look quicker. */
  readonly burst: number;
  /** How long they waited when that last changed, and when that was. */
  readonly queueMs: number;
  readonly movedAt: number;
}

type Stage = { readonly kind: 'steady' } | Draining;

/**
 * What the network is thought to carry for video. With transport-wide feedback: grow while queues on the way are short,
 * find out by probes what was never sent, fall below what gets through when queues fill or packets are lost. Without it the
 * receiver's own limit (REMB) rules, and without that its loss reports. Pure: engine times are given. Each input returns a
 * new estimate to act upon, or null.
 */
export class BitrateController {
  readonly #ceiling: number;
  readonly #quality: 'auto' | 'high';
  readonly #arrivals = new ArrivalHistory();
  readonly #probe = new BandwidthProbe();
  readonly #patience = new LossPatience();
  #bitrate = START_BITRATE;
  #announced: number | null = null;
  #mode: 'start' | 'arrivals' | 'limit' | 'loss' = 'start';
  #feedbackAt = Number.NEGATIVE_INFINITY;
  #updatedAt: number | null = null;
  #backedOffAt = Number.NEGATIVE_INFINITY;
  #stage: Stage = { kind: 'steady' };
  /** What got through when a queue was full; infinite when none was since a probe found more. */
  #full = Number.POSITIVE_INFINITY;
  #network: 'calm' | 'lossy' | 'troubled' = 'troubled';

  constructor(options: BitrateOptions = {}) {
    this.#ceiling = options.ceiling ?? MAX_BITRATE;
    this.#quality = options.quality ?? 'auto';
    if (this.#quality === 'high') this.#bitrate = this.#ceiling;
  }

  get bitrate(): number {
    return Math.round(this.#bitrate);
  }

  /** A picture of this size is being sent. @returns how many bytes of padding are to follow it. */
  padding(pictureBytes: number, now: number): number {
    if (this.#mode !== 'arrivals' || !this.#hasArrivals(now) || this.#pinned) return 0;
    const rested = this.#network === 'calm' ? now - this.#backedOffAt > PROBE_AFTER_BACKOFF_MS : now - this.#probe.failedAt > PROBE_ON_LOSSY_NETWORK_MS;
    return this.#probe.padding(now, pictureBytes, this.#bitrate, this.#ceiling, rested && this.#network !== 'troubled');
  }

  /** Everything sent up to this time is known to have reached the client; null when nothing is. */
  get arrivedUpTo(): number | null {
    return this.#arrivals.arrivedUpTo;
  }

  /** When the latest packet that is known to have reached the client was sent; null: none is. */
  get reachedAt(): number | null {
    return this.#arrivals.reachedAt;
  }

  /** Whether packets wait on the way, or many are lost. */
  get isTroubled(): boolean {
    return this.#network === 'troubled';
  }

  /** From sending to the report of arrival, ms; 0 when nothing was reported. */
  get roundTripMs(): number {
    return this.#arrivals.roundTripMs;
  }

  /** The way there and back alone, ms; infinite before the first report. */
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
    this.#patience.saw(seen.loss, now);
    this.#network = seen.queueMs >= CALM_QUEUE_MS || seen.loss > HEAVY_LOSS ? 'troubled' : seen.loss > TOLERABLE_LOSS && seen.lossFreeMs < LOSS_OVER_MS ? 'lossy' : 'calm';
    if (this.#pinned) this.#set(this.#ceiling);
    else this.#follow(seen, now);
    this.#updatedAt = now;
    return this.#announce();
  }

  #follow(seen: ArrivalSummary, now: number): void {
    const found = this.#probe.reported(seen.outcomes, now);
    const isNarrow = seen.burstBitrate < this.#bitrate * NARROW_SHARE;
    if (this.#stage.kind === 'draining') this.#drain(this.#stage, seen, now);
    else if (seen.queueMs > FULL_QUEUE_MS || (seen.queueMs > CALM_QUEUE_MS && isNarrow)) this.#drain({ kind: 'draining', before: this.#bitrate, received: 0, burst: Number.POSITIVE_INFINITY, queueMs: seen.queueMs, movedAt: now }, seen, now);
    else if (seen.loss > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - seen.loss / 2), now);
    else if (found !== null) {
      this.#full = found.isAll ? found.bitsPerSecond : Number.POSITIVE_INFINITY;
      this.#set(Math.max(this.#bitrate, found.isAll ? besideRepeats(found.bitsPerSecond, seen.loss) : found.bitsPerSecond));
    } else if (this.#network !== 'troubled') this.#grow(now, Math.min(besideRepeats(this.#full, this.#network === 'lossy' ? seen.loss : 0), seen.receivedBitrate * HEADROOM + HEADROOM_BITS));
  }

  /** Packets wait on the way: less than gets through, until they no longer do. What got through meanwhile is what the network carries. */
  #drain(begun: Draining, seen: ArrivalSummary, now: number): void {
    const moved = Math.abs(seen.queueMs - begun.queueMs) > SAME_QUEUE_MS;
    const received = Math.max(begun.received, seen.receivedBitrate);
    const burst = Math.min(begun.burst, seen.burstBitrate);
    // A face at rest sends less than the network carries: what got through is the least of it.
    const carried = Math.max(received, burst < Math.max(begun.before * NARROW_SHARE, NARROW_BITRATE) ? burst : 0, Number.isFinite(this.#full) ? this.#full * LEAST_LEFT : 0);
    const stage: Draining = { ...begun, received, burst, ...(moved && { queueMs: seen.queueMs, movedAt: now }) };
    this.#backedOffAt = now;
    this.#probe.abandon(now);
    const stands = now - stage.movedAt > DRAIN_SHOWS_MS + this.#arrivals.roundTripMs;
    if (stands) this.#arrivals.rebase(now);
    if (stands || seen.queueMs < CALM_QUEUE_MS) {
      this.#stage = { kind: 'steady' };
      this.#full = carried;
      this.#set(besideRepeats(carried, seen.loss));
      return;
    }
    this.#stage = stage;
    this.#set(carried * Math.max(LEAST_DRAIN_SHARE, BACKOFF - seen.queueMs * DRAIN_SHARE_PER_MS));
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
    this.#patience.saw(fraction, now);
    if (this.#mode !== 'loss') this.#set(this.#quality === 'high' ? this.#ceiling : BLIND_BITRATE);
    this.#mode = 'loss';
    if (this.#pinned) this.#set(this.#ceiling);
    else if (fraction > HEAVY_LOSS) this.#backOff(this.#bitrate * (1 - fraction / 2), now);
    else if (fraction < TOLERABLE_LOSS) this.#grow(now, BLIND_BITRATE);
    this.#updatedAt = now;
    return this.#announce();
  }

  /** Another path: delays measured on the old one mean nothing on it. The rate is kept until it is known better. */
  pathChanged(now: number): void {
    this.#arrivals.reset();
    this.#probe.abandon(now);
    this.#stage = { kind: 'steady' };
    this.#full = Number.POSITIVE_INFINITY;
    this.#updatedAt = null;
  }

  get #pinned(): boolean {
    return this.#quality === 'high' && this.#patience.lasts;
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
    if (before !== null && Math.abs(this.#bitrate - before) < before * MIN_CHANGE) return null;
    this.#announced = this.#bitrate;
    return this.bitrate;
  }
}

/** What pictures may take of what gets through when the network is full. Repeats go out twice, and second copies are not counted. */
function besideRepeats(carried: number, loss: number): number {
  return carried * (BACKOFF - loss);
}
