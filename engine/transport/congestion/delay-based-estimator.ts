import type { FeedbackSummary } from './feedback-history.ts';

/** If packets wait this long in queues, ms, the network is full. */
const FULL_QUEUE_MS = 60;
/** Shorter waits are the usual jitter of Wi-Fi. */
export const CALM_QUEUE_MS = 25;
/**
 * Packets of a burst leave together. If they arrive at less than this share of the rate, and there is a queue, the
 * link has become narrow.
 */
const NARROW_SHARE = 0.5;
/**
 * A burst below this rate is always believed: it takes 10 ms for each packet, and clocks and threads add less than
 * that.
 */
const NARROW_BITRATE = 1_000_000;
/**
 * The part of a link that audio and packet headers take. A burst does not show it. Without this part, the queue came
 * back at 400 kbit/s.
 */
const BESIDE_VIDEO_BITRATE = 70_000;
/**
 * What carried so much when it was full last has not lost more than the rest of it since; where it has, the queue stays
 * and it loses as much again.
 */
const MIN_LEFT = 0.7;
/**
 * The share of the capacity that frames get when the network is full. Audio and retransmissions share the path and
 * need the rest.
 */
const VIDEO_SHARE = 0.85;
/**
 * While packets wait, so much less for each ms of it: 200 ms are gone after 0.7 s. At 0.85 alone a queue stood for
 * seconds (measured at 400 kbit/s).
 */
const DRAIN_SHARE_PER_MS = 1 / 600;
/** Frames at a lower rate than this are not watchable. */
const MIN_DRAIN_SHARE = 0.55;
/** If a queue does not change for this time and one round trip, it is not a queue: the path has become longer. */
const DRAIN_SHOWS_MS = 500;
/** A smaller difference is not a change. */
const SAME_QUEUE_MS = 15;

/** Packets wait on the way: less is sent than gets through, until they no longer do. Rates in bits per second. */
export interface OveruseState {
  /** What was sent until then, and what the network carried when it was full last; infinite when it never was. */
  readonly before: number;
  readonly full: number;
  /** The most that got through since. */
  readonly received: number;
  /** The lowest rate of a burst meanwhile; retransmissions that join one make it look quicker. */
  readonly burst: number;
  /** How long packets waited when that last changed, and when that was. */
  readonly queueMs: number;
  readonly movedAt: number;
}

export interface OveruseStep {
  readonly drain: OveruseState;
  /** The estimated capacity of the network. */
  readonly carried: number;
  /** What to send from now on. */
  readonly bitrate: number;
  readonly state: 'draining' | 'empty' | 'longer way';
}

/** Whether packets wait so long that less has to be sent than `bitrate`. */
export function isOverused({ queueMs, burstBitrate }: FeedbackSummary, bitrate: number): boolean {
  return queueMs > FULL_QUEUE_MS || (queueMs > CALM_QUEUE_MS && burstBitrate < bitrate * NARROW_SHARE);
}

/** @param before what was sent. @param full what the network carried when it was full last. */
export function beginOveruse(before: number, full: number, { queueMs }: FeedbackSummary, now: number): OveruseState {
  return { before, full, received: 0, burst: Number.POSITIVE_INFINITY, queueMs, movedAt: now };
}

/** Takes the next report into account. Pure. @param roundTripMs before that, nothing that is done can be seen. */
export function stepOveruse(begun: OveruseState, seen: FeedbackSummary, roundTripMs: number, now: number): OveruseStep {
  const moved = Math.abs(seen.queueMs - begun.queueMs) > SAME_QUEUE_MS;
  const drain: OveruseState = {
    ...begun,
    received: Math.max(begun.received, seen.acknowledgedBitrate),
    burst: Math.min(begun.burst, seen.burstBitrate),
    ...(moved && { queueMs: seen.queueMs, movedAt: now }),
  };
  const carried = carriedBy(drain);
  const stands = now - drain.movedAt > DRAIN_SHOWS_MS + roundTripMs;
  const state = seen.queueMs < CALM_QUEUE_MS ? 'empty' : stands ? 'longer way' : 'draining';
  const whileDraining = carried * Math.max(MIN_DRAIN_SHARE, VIDEO_SHARE - seen.queueMs * DRAIN_SHARE_PER_MS);
  return { drain, carried, bitrate: state === 'draining' ? whileDraining : besideRtx(carried, seen.loss), state };
}

/**
 * What frames may take of what gets through when the network is full. Retransmissions go out twice, and second copies
 * are not counted. @param loss 0…1
 */
export function besideRtx(carried: number, loss: number): number {
  return carried * (VIDEO_SHARE - loss);
}

/** A face at rest sends less than the network can carry, so the received rate is a lower limit of the capacity. */
function carriedBy({ before, full, received, burst }: OveruseState): number {
  const told = burst < Math.max(before * NARROW_SHARE, NARROW_BITRATE) ? burst - BESIDE_VIDEO_BITRATE : 0;
  const left = Number.isFinite(full) ? full * MIN_LEFT : 0;
  return Math.max(received, told, left);
}
