import { FRAME_HOLD } from '../media-sender.ts';
import { parseRtp, sequenceDistance, transportSequenceOf, type RtpHeader } from '../rtp/rtp-packet.ts';
import type { Feedback } from '../rtcp/parse-feedback.ts';

/** How often Chromium reports arrivals at these rates. */
const REPORTS_EVERY_MS = 61;
/** How often it checks what it still lacks. */
const LACKS_EVERY_MS = 20;
/**
 * If three frames were late because a part of them was lost, Chromium holds all frames for as long as a retransmission
 * takes.
 */
const LATE_FRAMES_UNTIL_HOLD = 3;
const BESIDE_ROUND_TRIP_MS = 15;
/** How fast it changes that time, ms per ms. */
const HOLD_CHANGE = 0.1;
/** How fast it learns when frames usually arrive: a share of the difference with each frame. */
const OFFSET_LEARNED = 0.05;
/** How far its clock is ahead of ours. */
const CLOCK_OFFSET_MS = 5_000;

type Packet = Pick<RtpHeader, 'timestamp' | 'marker'> & { readonly isKeyframe: boolean };

/**
 * What Chromium does with video packets, as far as it matters to when frames are shown: what it requests, what it
 * reports, how long it holds frames. The rules were derived from bench runs (bench/network-adaptation.ts), not from its
 * code.
 */
export class SimulatedBrowser {
  readonly #ssrc: number;
  readonly #send: (feedback: Feedback) => void;
  /** When frames were shown. */
  readonly shown: number[] = [];
  /** Its estimate of the round-trip time, ms. */
  roundTripMs = 20;
  readonly #seen = new Set<string>();
  #arrivals = new Map<number, number>();
  #reportedUpTo: number | null = null;
  readonly #packets = new Map<number, Packet>();
  #next: number | null = null;
  #highest = 0;
  readonly #lacks = new Map<number, number>();
  #late = 0;
  #offset: number | null = null;
  #hold = FRAME_HOLD.minMs;
  #heldAt = 0;
  #reportsAt = REPORTS_EVERY_MS;
  #looksAt = LACKS_EVERY_MS;

  /** @param ssrc of the frames; everything else is taken for their retransmissions. */
  constructor(ssrc: number, send: (feedback: Feedback) => void) {
    this.#ssrc = ssrc;
    this.#send = send;
  }

  receive(packet: Buffer, now: number): void {
    const { ssrc, sequence, payload, timestamp, marker } = parseRtp(packet)!;
    // The replay check drops packets that arrive twice before anything counts them.
    const name = `${ssrc} ${sequence}`;
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#arrivals.set(transportSequenceOf(packet), now);
    if (ssrc === this.#ssrc)
      this.#take(sequence, { timestamp, marker, isKeyframe: startsKeyframe(payload) }, 'original', now);
    else if (payload.length > 2)
      this.#take(
        payload.readUInt16BE(0),
        { timestamp, marker, isKeyframe: startsKeyframe(payload.subarray(2)) },
        'rtx',
        now,
      );
  }

  /** Called every ms. */
  tick(now: number): void {
    if (now >= this.#looksAt) {
      this.#looksAt = now + LACKS_EVERY_MS;
      this.#ask(
        [...this.#lacks].filter(([, askedAt]) => now - askedAt >= this.roundTripMs).map(([sequence]) => sequence),
        now,
      );
    }
    if (now >= this.#reportsAt) {
      this.#reportsAt = now + REPORTS_EVERY_MS;
      this.#report();
    }
  }

  #take(sequence: number, packet: Packet, by: 'original' | 'rtx', now: number): void {
    if (this.#next === null) [this.#next, this.#highest] = [sequence, sequence];
    if (sequenceDistance(this.#next, sequence) < 0 || this.#packets.has(sequence)) return;
    this.#packets.set(sequence, packet);
    this.#lacks.delete(sequence);
    if (by === 'original' && sequenceDistance(this.#highest, sequence) > 0) {
      const missing = between(this.#highest, sequence);
      this.#highest = sequence;
      if (missing.length > 0) this.#late += 1;
      this.#ask(missing, now);
    }
    this.#skipToKeyframe();
    for (let found = this.#packets.get(this.#next); found !== undefined; found = this.#packets.get(this.#next)) {
      this.#packets.delete(this.#next);
      this.#next = (this.#next + 1) & 0xffff;
      if (found.marker) this.#show(found.timestamp / 90, now);
    }
  }

  /** After a complete keyframe, everything that is missing before it is unimportant. */
  #skipToKeyframe(): void {
    const starts = [...this.#packets].filter(([, { isKeyframe }]) => isKeyframe).map(([sequence]) => sequence);
    const whole = starts.findLast((sequence) => {
      let at = sequence;
      while (this.#packets.get(at)?.marker === false) at = (at + 1) & 0xffff;
      return this.#packets.has(at);
    });
    if (whole === undefined) return;
    const isOld = (sequence: number): boolean => sequenceDistance(whole, sequence) < 0;
    for (const sequence of this.#packets.keys()) if (isOld(sequence)) this.#packets.delete(sequence);
    for (const sequence of this.#lacks.keys()) if (isOld(sequence)) this.#lacks.delete(sequence);
    this.#next = whole;
  }

  #ask(sequences: readonly number[], now: number): void {
    if (sequences.length === 0) return;
    for (const sequence of sequences) this.#lacks.set(sequence, now);
    this.#send({ type: 'nack', media: this.#ssrc, sequences });
  }

  #report(): void {
    const newest = [...this.#arrivals.keys()].reduce<number | null>(
      (last, number) => (last === null || sequenceDistance(last, number) > 0 ? number : last),
      null,
    );
    if (newest === null || (this.#reportedUpTo !== null && sequenceDistance(this.#reportedUpTo, newest) <= 0)) return;
    const numbers = this.#reportedUpTo === null ? [newest] : [...between(this.#reportedUpTo, newest), newest];
    const packets = numbers.map((sequence) => {
      const at = this.#arrivals.get(sequence);
      return { sequence, receivedAt: at === undefined ? null : at + CLOCK_OFFSET_MS };
    });
    this.#reportedUpTo = newest;
    this.#arrivals = new Map();
    this.#send({ type: 'transport', feedback: { packets } });
  }

  #show(capturedAt: number, now: number): void {
    const offset = now - capturedAt;
    this.#offset = this.#offset === null ? offset : this.#offset + (offset - this.#offset) * OFFSET_LEARNED;
    const wanted =
      this.#late < LATE_FRAMES_UNTIL_HOLD
        ? FRAME_HOLD.minMs
        : Math.max(FRAME_HOLD.minMs, this.roundTripMs + BESIDE_ROUND_TRIP_MS);
    const step = (now - this.#heldAt) * HOLD_CHANGE;
    this.#heldAt = now;
    this.#hold += Math.max(-step, Math.min(step, wanted - this.#hold));
    this.shown.push(Math.max(now, capturedAt + this.#offset + this.#hold, this.shown.at(-1) ?? 0));
  }
}

/** For a payload of H.264 (packetize-h264.ts): whether it is a keyframe or the first part of one. */
function startsKeyframe(payload: Buffer): boolean {
  const isFirstPart = (payload[0]! & 0x1f) === 28 && (payload[1]! & 0x80) !== 0;
  return ((isFirstPart ? payload[1]! : payload[0]!) & 0x1f) === 5;
}

/** The numbers between two numbers. */
function between(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, sequenceDistance(from, to) - 1) }, (_, index) => (from + 1 + index) & 0xffff);
}
