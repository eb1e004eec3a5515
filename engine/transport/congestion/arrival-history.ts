import type { TransportFeedback } from '../rtcp/transport-feedback.ts';

export interface ArrivalSummary {
  /** How much longer than on an empty path packets were under way, smoothed, in ms. */
  readonly queueMs: number;
  /** Bits per second that got through in the last second. */
  readonly receivedBitrate: number;
  /** 0…1 of the packets of the last second. */
  readonly loss: number;
  /** What this feedback said, packet by packet. */
  readonly outcomes: readonly Outcome[];
}

/** Numbers wrap at 65,536; anything older than this is forgotten. */
const MAX_IN_FLIGHT = 8_192;
const WINDOW_MS = 1_000;
/** The shortest way within this time is the empty path: long enough to see one, short enough for clocks that drift. */
const BASE_WINDOW_MS = 10_000;
const BASE_SLOTS = 10;
/** Weight of a new packet in the smoothed queue: about 20 packets. */
const SMOOTHING = 0.1;
/** Fewer packets say nothing about loss. */
const MIN_PACKETS_FOR_LOSS = 20;

/** What became of one packet. */
export interface Outcome {
  /** When it was reported. */
  readonly at: number;
  readonly bytes: number;
  readonly sentAt: number;
  /** On the receiver's clock; null: lost. */
  readonly receivedAt: number | null;
}

/** Ties feedback to the packets that it speaks of. Pure: engine times are given. */
export class ArrivalHistory {
  readonly #inFlight = new Map<number, { readonly bytes: number; readonly at: number }>();
  #outcomes: Outcome[] = [];
  /** Shortest delay of each second; the offset between the two clocks is in all of them alike. */
  #shortest: { readonly from: number; delay: number }[] = [];
  #queueMs = 0;
  #arrivedUpTo: number | null = null;

  /** Everything sent up to this time is known to have reached the receiver; null when nothing is. */
  get arrivedUpTo(): number | null {
    return this.#arrivedUpTo;
  }

  sent(sequence: number, bytes: number, at: number): void {
    this.#inFlight.delete(sequence);
    this.#inFlight.set(sequence, { bytes, at });
    if (this.#inFlight.size > MAX_IN_FLIGHT) this.#inFlight.delete(this.#inFlight.keys().next().value!);
  }

  /** @returns null when the feedback names no packet that is known. */
  feedback(feedback: TransportFeedback, now: number): ArrivalSummary | null {
    const outcomes: Outcome[] = [];
    let lost = 0;
    let latest = this.#arrivedUpTo ?? Number.NEGATIVE_INFINITY;
    for (const { sequence, receivedAt } of feedback.packets) {
      const packet = this.#inFlight.get(sequence);
      if (!packet) continue;
      this.#inFlight.delete(sequence);
      outcomes.push({ at: now, bytes: packet.bytes, sentAt: packet.at, receivedAt });
      if (receivedAt === null) {
        lost += 1;
        continue;
      }
      latest = Math.max(latest, packet.at);
      this.#delay(receivedAt - packet.at, now);
    }
    if (outcomes.length === 0) return null;
    // A gap may have taken something else with it that went the same way.
    if (lost === 0) this.#arrivedUpTo = latest;
    this.#outcomes = [...this.#outcomes, ...outcomes].filter((outcome) => now - outcome.at < WINDOW_MS);
    const received = this.#outcomes.filter((outcome) => outcome.receivedAt !== null);
    const seconds = Math.max(0.2, Math.min(WINDOW_MS, now - this.#outcomes[0]!.at) / 1_000);
    return {
      queueMs: this.#queueMs,
      receivedBitrate: (received.reduce((sum, outcome) => sum + outcome.bytes, 0) * 8) / seconds,
      loss: this.#outcomes.length < MIN_PACKETS_FOR_LOSS ? 0 : 1 - received.length / this.#outcomes.length,
      outcomes,
    };
  }

  /** What was the empty path is one no longer: the shortest way of late takes its place. */
  rebase(now: number): void {
    this.#shortest = this.#shortest.filter(({ from }) => now - from < 2 * (BASE_WINDOW_MS / BASE_SLOTS)).slice(-1);
    this.#queueMs = 0;
  }

  reset(): void {
    this.#inFlight.clear();
    this.#outcomes = [];
    this.#shortest = [];
    this.#queueMs = 0;
  }

  #delay(delay: number, now: number): void {
    const slot = this.#shortest.at(-1);
    if (!slot || now - slot.from >= BASE_WINDOW_MS / BASE_SLOTS) this.#shortest.push({ from: now, delay });
    else if (delay < slot.delay) slot.delay = delay;
    while (now - this.#shortest[0]!.from > BASE_WINDOW_MS) this.#shortest.shift();
    const base = Math.min(...this.#shortest.map((candidate) => candidate.delay));
    this.#queueMs += (delay - base - this.#queueMs) * SMOOTHING;
  }
}
