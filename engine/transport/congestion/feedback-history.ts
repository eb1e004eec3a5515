import type { TransportFeedback } from '../rtcp/transport-feedback.ts';
import { lowestBurstRate } from './burst-rate.ts';
import { isReceived, type PacketResult, type ReceivedPacket } from './packet-result.ts';

export interface FeedbackSummary {
  /**
   * How much longer than on an empty path even the quickest packets of late were under way, ms: a queue that stands.
   */
  readonly queueMs: number;
  /** Bits per second that got through in the last half second. */
  readonly acknowledgedBitrate: number;
  /**
   * At which rate packets came out that had left at once: what the narrowest link carries. The lowest in this feedback;
   * infinite where none tells.
   */
  readonly burstBitrate: number;
  /** 0…1 of the packets of the last seconds. */
  readonly loss: number;
  /** Since the latest loss was reported, ms; infinite when none was in the last seconds. */
  readonly lossFreeMs: number;
  /** What this feedback said, packet by packet. */
  readonly results: readonly PacketResult[];
}

/** Numbers wrap at 65,536; anything older than this is forgotten. */
const MAX_IN_FLIGHT = 8_192;
/** Short enough to tell soon what a link carries that has just become narrow. */
const RATE_WINDOW_MS = 500;
/** The first reports cover less than that. */
const RATE_SHORTEST_MS = 200;
/** At a low rate a second has some 25 packets, of which 5 % of random loss often takes three: no sign of anything. */
const LOSS_WINDOW_MS = 2_500;
/** The shortest way within this time is the empty path: long enough to see one, short enough for clocks that drift. */
const BASE_WINDOW_MS = 10_000;
const BASE_SLOTS = 10;
/**
 * The quickest packet of this time, some three frames, tells the queue. The later packets of a frame wait for its first
 * ones, 24 ms each at 400 kbit/s, and a busy machine holds up single ones: neither is a queue. With 300 ms a queue was
 * noticed when it had grown to 200.
 */
const QUEUE_WINDOW_MS = 130;
/** Fewer packets say nothing about loss. */
const MIN_PACKETS_FOR_LOSS = 20;
/** How much the shortest round trip may grow with each report, so that a longer way is believed after some seconds. */
const ROUND_TRIP_GROWTH_MS = 0.5;

/** Ties feedback to the packets that it speaks of. Pure: engine times are given. */
export class FeedbackHistory {
  readonly #inFlight = new Map<number, { readonly bytes: number; readonly at: number }>();
  #results: PacketResult[] = [];
  /** Shortest delay of each second; the offset between the two clocks is in all of them alike. */
  #shortest: { readonly from: number; delay: number }[] = [];
  #recent: { readonly at: number; readonly delay: number }[] = [];
  #roundTripMs = 0;
  #shortestRoundTripMs = Number.POSITIVE_INFINITY;
  #arrivedUpTo: number | null = null;
  #reachedAt: number | null = null;

  /** Everything sent up to this time is known to have reached the receiver; null when nothing is. */
  get arrivedUpTo(): number | null {
    return this.#arrivedUpTo;
  }

  /**
   * When the latest packet was sent that is known to have reached the receiver, whatever else was lost; null: none is.
   */
  get reachedAt(): number | null {
    return this.#reachedAt;
  }

  /**
   * From the sending of a packet to its report, ms: the way there and back, and the receiver's pause between reports.
   */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /**
   * The same without the receiver's pause, as near as reports tell: the way there and back alone. Infinite before the
   * first.
   */
  get shortestRoundTripMs(): number {
    return this.#shortestRoundTripMs;
  }

  sent(sequence: number, bytes: number, at: number): void {
    this.#inFlight.delete(sequence);
    this.#inFlight.set(sequence, { bytes, at });
    if (this.#inFlight.size > MAX_IN_FLIGHT) this.#inFlight.delete(this.#inFlight.keys().next().value!);
  }

  /** @returns null when the feedback names no packet that is known. */
  feedback(feedback: TransportFeedback, now: number): FeedbackSummary | null {
    const results: PacketResult[] = [];
    let lost = 0;
    let latest = this.#arrivedUpTo ?? Number.NEGATIVE_INFINITY;
    this.#recent = this.#recent.filter(({ at }) => now - at < QUEUE_WINDOW_MS);
    for (const { sequence, receivedAt } of feedback.packets) {
      const packet = this.#inFlight.get(sequence);
      if (!packet) continue;
      this.#inFlight.delete(sequence);
      results.push({ at: now, bytes: packet.bytes, sentAt: packet.at, receivedAt });
      if (receivedAt === null) {
        lost += 1;
        continue;
      }
      latest = Math.max(latest, packet.at);
      this.#reachedAt = Math.max(this.#reachedAt ?? packet.at, packet.at);
      this.#roundTripMs = now - packet.at;
      this.#delay(receivedAt - packet.at, now);
    }
    if (results.length === 0) return null;
    if (lost < results.length)
      this.#shortestRoundTripMs = Math.min(this.#roundTripMs, this.#shortestRoundTripMs + ROUND_TRIP_GROWTH_MS);
    // A gap may have taken something else with it that went the same way.
    if (lost === 0) this.#arrivedUpTo = latest;
    this.#results = [...this.#results, ...results].filter((result) => now - result.at < LOSS_WINDOW_MS);
    const received = this.#results.filter(isReceived);
    const recent = received.filter((result) => now - result.at < RATE_WINDOW_MS);
    return {
      queueMs: this.#queueMs(),
      acknowledgedBitrate: rateOf(recent),
      burstBitrate: lowestBurstRate(results),
      loss: this.#results.length < MIN_PACKETS_FOR_LOSS ? 0 : 1 - received.length / this.#results.length,
      lossFreeMs: now - (this.#results.findLast((result) => !isReceived(result))?.at ?? Number.NEGATIVE_INFINITY),
      results,
    };
  }

  /** What was the empty path is one no longer: the shortest way of late takes its place. */
  rebase(now: number): void {
    this.#shortest = [{ from: now, delay: Math.min(...this.#recent.map(({ delay }) => delay)) }];
  }

  reset(): void {
    this.#inFlight.clear();
    this.#results = [];
    this.#shortest = [];
    this.#recent = [];
  }

  #delay(delay: number, now: number): void {
    const slot = this.#shortest.at(-1);
    if (!slot || now - slot.from >= BASE_WINDOW_MS / BASE_SLOTS) this.#shortest.push({ from: now, delay });
    else if (delay < slot.delay) slot.delay = delay;
    while (now - this.#shortest[0]!.from > BASE_WINDOW_MS) this.#shortest.shift();
    this.#recent.push({ at: now, delay });
  }

  #queueMs(): number {
    if (this.#recent.length === 0) return 0;
    return Math.min(...this.#recent.map(({ delay }) => delay)) - Math.min(...this.#shortest.map(({ delay }) => delay));
  }
}

/**
 * Bits per second on the receiver's clock; reports themselves come too irregularly. The first packet only starts the
 * clock.
 */
function rateOf(received: readonly ReceivedPacket[]): number {
  const bytes = received.slice(1).reduce((sum, result) => sum + result.bytes, 0);
  const times = received.map(({ receivedAt }) => receivedAt);
  return (bytes * 8_000) / Math.max(RATE_SHORTEST_MS, Math.max(...times) - Math.min(...times));
}
