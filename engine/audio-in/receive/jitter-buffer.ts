import type { AudioPacket } from '../../media/media-types.ts';
import { sequenceDistance } from '../../transport/rtp/rtp-packet.ts';

/**
 * Puts RTP packets into the order in which they were sent. A packet in order passes at once. An early packet waits for
 * the missing one, within limits.
 */

/** How many packets may wait for a missing one: 80 ms of sound at 20 ms a packet. */
const MAX_HELD = 4;
/** A missing packet is given up after this time; on real paths reordering is over within a few packets. */
const MAX_HOLD_MS = 60;
/** A jump of this many numbers means that the sender started anew, not loss: 10 s at 50 packets a second. */
const RESTART_JUMP = 500;
/** This many packets in a row with old numbers also mean that the sender started anew. */
const RESTART_LATE_RUN = 10;

export interface OrderedPacket {
  readonly packet: AudioPacket;
  /** 'restart': this packet begins a new count. */
  readonly follows: 'previous' | 'restart';
}

export class JitterBuffer {
  readonly #held = new Map<number, AudioPacket>();
  #expected: number | null = null;
  #lateRun = 0;

  /** @returns the packets that can be used now, in order; often just this packet. */
  push(packet: AudioPacket): OrderedPacket[] {
    const { sequence } = packet;
    if (this.#expected === null) return this.#restart(packet);
    const ahead = sequenceDistance(this.#expected, sequence);
    if (Math.abs(ahead) >= RESTART_JUMP) return this.#restart(packet);
    if (ahead < 0) {
      this.#lateRun++;
      return this.#lateRun >= RESTART_LATE_RUN ? this.#restart(packet) : [];
    }
    this.#lateRun = 0;
    if (ahead === 0 && this.#held.size === 0) {
      // Nearly all packets: a map that is filled and emptied for each of them leaves a table behind every few packets.
      this.#expected = next(sequence);
      return [{ packet, follows: 'previous' }];
    }
    if (!this.#held.has(sequence)) this.#held.set(sequence, packet);
    if (ahead > 0 && this.#held.size > MAX_HELD) this.#skipMissing();
    return this.#takeReady();
  }

  /** Gives up on packets that have been missing for too long. @returns the packets that can be used now. */
  expire(now: number): OrderedPacket[] {
    const ready: OrderedPacket[] = [];
    // Another packet may be missing behind these, and the packets after it have waited as long.
    while ([...this.#held.values()].some(({ arrivedAt }) => now - arrivedAt >= MAX_HOLD_MS)) {
      this.#skipMissing();
      ready.push(...this.#takeReady());
    }
    return ready;
  }

  #restart(packet: AudioPacket): OrderedPacket[] {
    this.#held.clear();
    this.#lateRun = 0;
    this.#expected = next(packet.sequence);
    return [{ packet, follows: 'restart' }];
  }

  #skipMissing(): void {
    const expected = this.#expected as number;
    let nearest = Number.POSITIVE_INFINITY;
    for (const sequence of this.#held.keys()) nearest = Math.min(nearest, sequenceDistance(expected, sequence));
    if (Number.isFinite(nearest)) this.#expected = (expected + nearest) & 0xffff;
  }

  #takeReady(): OrderedPacket[] {
    const ready: OrderedPacket[] = [];
    for (
      let held = this.#held.get(this.#expected as number);
      held !== undefined;
      held = this.#held.get(this.#expected as number)
    ) {
      this.#held.delete(this.#expected as number);
      this.#expected = next(this.#expected as number);
      ready.push({ packet: held, follows: 'previous' });
    }
    return ready;
  }
}

function next(sequence: number): number {
  return (sequence + 1) & 0xffff;
}
