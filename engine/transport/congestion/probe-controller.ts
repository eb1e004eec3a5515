import { isReceived, type PacketResult, type ReceivedPacket } from './packet-result.ts';

/** Long enough to see a queue grow, short enough that a link which is too narrow holds nobody up noticeably. */
const PROBE_MS = 200;
/**
 * How long a link that got wide again waits to be noticed. After a good probe the next one follows at once: 500 kbit/s
 * become 4 Mbit/s in under 2 s.
 */
const REST_AFTER_FAILURE_MS = 2_000;
const MAX_FACTOR = 2;
/** A link that has just refused more is asked for little: a quarter too much, for 200 ms, is a queue of 50 ms. */
const FACTOR_AFTER_FAILURE = 1.25;
/** With each success the steps grow: 1.25, 1.6, 2. */
const FACTOR_GROWTH = 1.3;
/** Reports come every 50 to 250 ms; what was not reported after this time will not be. */
const REPORT_WAIT_MS = 1_000;
/** The last packets were under way longer than the first ones: a queue grew. Less than this is the weather. */
const MAX_GROWTH_MS = 30;
/** Random loss passes; a full queue that drops does not. */
const MAX_LOSS = 0.15;
const MIN_PACKETS = 6;
/** What came out at less than this share was all that the link carries; the rest is what clocks and threads add. */
const WHOLE_SHARE = 0.95;
/** A gap in the frames is not made up for. */
const MAX_ELAPSED_MS = 80;

/** What a probe has found. */
export interface ProbeResult {
  readonly bitsPerSecond: number;
  /** Whether that fills the network. */
  readonly isAll: boolean;
}

type Stage =
  | { readonly kind: 'resting' }
  | { readonly kind: 'sending' | 'awaiting'; readonly target: number; readonly from: number; readonly until: number };

/**
 * Finds out whether the network carries more than is sent. A face at rest sends little, so its own packets cannot tell;
 * for a moment they are padded up to a higher rate. Pure: engine times are given.
 */
export class ProbeController {
  #stage: Stage = { kind: 'resting' };
  #factor = MAX_FACTOR;
  #failedAt = Number.NEGATIVE_INFINITY;
  #paddedAt = 0;
  #seen: PacketResult[] = [];

  /** When the network last proved to carry no more, or was found in trouble. */
  get failedAt(): number {
    return this.#failedAt;
  }

  /**
   * @returns bytes of padding to send after a frame of `frameBytes`. @param calm whether the network may be asked now.
   */
  padding(now: number, frameBytes: number, bitrate: number, ceiling: number, calm: boolean): number {
    if (this.#stage.kind === 'resting') {
      if (!calm || bitrate >= ceiling || now - this.#failedAt < REST_AFTER_FAILURE_MS) return 0;
      this.#stage = {
        kind: 'sending',
        target: Math.min(ceiling, bitrate * this.#factor),
        from: now,
        until: now + PROBE_MS,
      };
      this.#paddedAt = now - MAX_ELAPSED_MS / 2;
      this.#seen = [];
    }
    if (this.#stage.kind !== 'sending') return 0;
    if (!calm) {
      this.abandon(now);
      return 0;
    }
    if (now > this.#stage.until) {
      this.#stage = { ...this.#stage, kind: 'awaiting' };
      return 0;
    }
    const elapsed = Math.min(MAX_ELAPSED_MS, now - this.#paddedAt);
    this.#paddedAt = now;
    return Math.max(0, Math.round((this.#stage.target * elapsed) / 8_000) - frameBytes);
  }

  /** Takes what was reported of sent packets. @returns what was found, once a probe has been carried. */
  reported(results: readonly PacketResult[], now: number): ProbeResult | null {
    const stage = this.#stage;
    if (stage.kind === 'resting') return null;
    this.#seen.push(
      ...results.filter(({ sentAt }) => sentAt >= stage.from && (stage.kind === 'sending' || sentAt <= stage.until)),
    );
    const complete = stage.kind === 'awaiting' && results.some(({ sentAt }) => sentAt > stage.until);
    if (!complete && now - stage.until < REPORT_WAIT_MS) return null;
    const share = carriedShare(this.#seen);
    if (share === null || share < WHOLE_SHARE) this.abandon(now);
    else {
      this.#factor = Math.min(MAX_FACTOR, this.#factor * FACTOR_GROWTH);
      this.#stage = { kind: 'resting' };
    }
    return share === null ? null : { bitsPerSecond: stage.target * share, isAll: share < WHOLE_SHARE };
  }

  /** The network is in trouble, carries no more, or is another one: what is under way says nothing. */
  abandon(now: number): void {
    this.#factor = FACTOR_AFTER_FAILURE;
    this.#failedAt = now;
    this.#stage = { kind: 'resting' };
  }
}

/**
 * @returns 0…1: how much of the rate at which packets were sent they came out at; null when that was far less, or when
 * too many were lost to say.
 */
function carriedShare(results: readonly PacketResult[]): number | null {
  const received = results.filter(isReceived);
  if (received.length < MIN_PACKETS || received.length < results.length * (1 - MAX_LOSS)) return null;
  const third = Math.ceil(received.length / 3);
  const meanDelay = (some: readonly ReceivedPacket[]): number =>
    some.reduce((sum, { sentAt, receivedAt }) => sum + receivedAt - sentAt, 0) / some.length;
  const growth = meanDelay(received.slice(-third)) - meanDelay(received.slice(0, third));
  // From the middle of the first third to that of the last.
  const sentMs = PROBE_MS * (2 / 3);
  return growth > MAX_GROWTH_MS ? null : sentMs / (sentMs + Math.max(0, growth));
}
