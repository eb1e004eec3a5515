import { randomInt } from 'node:crypto';
import type { StreamState } from '../connection-state.ts';
import { MAX_PADDING, writePadding, writeRtp, type HeaderExtensions } from './rtp-packet.ts';
import { PacketMemory } from './packet-memory.ts';
import { KEPT_MS, SendHistory } from './send-history.ts';
import type { MediaTime } from './media-time.ts';

/** What a sender report says about a stream. */
export interface SendCounts {
  readonly ssrc: number;
  readonly packets: number;
  readonly octets: number;
}

export interface OutgoingPacket {
  readonly packet: Buffer;
  /** Whether a transport-wide number has to be stamped into it when it leaves. */
  readonly numbered: boolean;
  /** The number that its content has in the original stream; null: it has no content. */
  readonly carries: number | null;
}

/** Numbers of an answer. */
export interface SendFormat extends HeaderExtensions {
  readonly payloadType: number;
}

/**
 * One outgoing RTP stream: its SSRC, numbers and history live as long as the session, whichever peer carries the
 * packets. So a receiver that keeps its tracks does not notice that the peer was replaced.
 */
export class SendStream {
  readonly ssrc: number;
  readonly time: MediaTime;
  readonly #history: SendHistory;
  readonly #memory = new PacketMemory(KEPT_MS);
  #sequence: number;
  #packets: number;
  #octets: number;
  #timestamp: number | null = null;
  #format: SendFormat | null = null;

  /**
   * @param keptPackets how many of the last ones may be asked for again. @param past of a stream that goes on; its
   * timestamp is in `time`.
   */
  constructor(time: MediaTime, keptPackets: number, past?: Omit<StreamState, 'timestamp'>) {
    this.time = time;
    this.ssrc = past?.ssrc ?? randomInt(1, 2 ** 31);
    this.#sequence = past?.sequence ?? randomInt(2 ** 15);
    this.#packets = past?.packets ?? 0;
    this.#octets = past?.octets ?? 0;
    this.#history = new SendHistory(keptPackets);
  }

  get payloadType(): number | null {
    return this.#format?.payloadType ?? null;
  }

  get counts(): SendCounts {
    return { ssrc: this.ssrc, packets: this.#packets, octets: this.#octets };
  }

  state(at: number): StreamState {
    return { ...this.counts, sequence: this.#sequence, timestamp: this.time.at(at) };
  }

  /** Null: the section was rejected, nothing is sent. */
  configure(format: SendFormat | null): void {
    // Old packets carry the old numbers.
    if (
      format?.payloadType !== this.#format?.payloadType ||
      format?.transportSequenceId !== this.#format?.transportSequenceId ||
      format?.playoutDelay?.id !== this.#format?.playoutDelay?.id
    )
      this.#history.clear();
    this.#format = format;
  }

  /**
   * @param payloads one frame or sound packet. @param at when it is to be seen or heard. @param marker on the last
   * packet.
   */
  write(payloads: readonly Uint8Array[], at: number, marker: boolean, now: number): OutgoingPacket[] {
    const format = this.#format;
    if (!format) return [];
    const timestamp = this.time.next(at);
    this.#timestamp = timestamp;
    const allocate = (bytes: number): Buffer => this.#memory.allocate(bytes, now);
    return payloads.map((payload, index) => {
      this.#sequence = (this.#sequence + 1) & 0xffff;
      const header = {
        marker: marker && index === payloads.length - 1,
        payloadType: format.payloadType,
        sequence: this.#sequence,
        timestamp,
        ssrc: this.ssrc,
      };
      const packet = writeRtp(header, payload, format, allocate);
      this.#packets += 1;
      this.#octets += payload.length;
      this.#history.add(this.#sequence, packet, now);
      return { packet, numbered: format.transportSequenceId !== null, carries: this.#sequence };
    });
  }

  /**
   * Packets without content, at least `bytes` in all. They are sent only between frames: receivers skip them there.
   * They are also kept for retransmissions, since a gap in the numbers would delay the next frame.
   */
  pad(bytes: number, now: number): OutgoingPacket[] {
    const format = this.#format;
    if (!format || this.#timestamp === null) return [];
    const packets: OutgoingPacket[] = [];
    for (let left = bytes; left > 0; left -= MAX_PADDING) {
      this.#sequence = (this.#sequence + 1) & 0xffff;
      const header = {
        marker: false,
        payloadType: format.payloadType,
        sequence: this.#sequence,
        timestamp: this.#timestamp,
        ssrc: this.ssrc,
      };
      const packet = writePadding(header, MAX_PADDING, { transportSequenceId: format.transportSequenceId });
      this.#packets += 1;
      this.#history.add(this.#sequence, packet, now);
      packets.push({ packet, numbered: format.transportSequenceId !== null, carries: this.#sequence });
    }
    return packets;
  }

  /**
   * @param roundTripMs until it has passed, a retransmission may be on its way. @returns the packet to repeat, or null
   * when it is no longer kept or was retransmitted often enough.
   */
  retransmit(sequence: number, now: number, roundTripMs = 0): OutgoingPacket | null {
    return this.#again(sequence, this.#history.retransmit(sequence, now, roundTripMs));
  }

  /**
   * @param transportSequence under which a copy is known to be lost. @returns as `retransmit`, and null when another
   * one has arrived or is on its way.
   */
  retransmitLost(sequence: number, transportSequence: number, now: number): OutgoingPacket | null {
    return this.#again(sequence, this.#history.retransmitLost(sequence, transportSequence, now));
  }

  /** @returns the packet to send a second time without a request; null when that has happened or is not needed. */
  retransmitProactively(sequence: number, now: number): OutgoingPacket | null {
    return this.#again(sequence, this.#history.retransmitProactively(sequence, now));
  }

  /** @returns the packet to send once more after a retransmission; null when one has arrived. */
  retransmitOnceMore(sequence: number, now: number): OutgoingPacket | null {
    return this.#again(sequence, this.#history.retransmitOnceMore(sequence, now));
  }

  /**
   * Whether a request for this packet is in vain. @param roundTripMs until it has passed, a retransmission may be on
   * its way.
   */
  isGone(sequence: number, now: number, roundTripMs: number): boolean {
    return this.#history.isGone(sequence, now, roundTripMs);
  }

  /** When this packet was first sent; null: too long ago to be known. */
  sentAt(sequence: number): number | null {
    return this.#history.sentAt(sequence);
  }

  /** A copy of this packet was sent with a transport-wide number. */
  left(sequence: number, transportSequence: number): void {
    this.#history.left(sequence, transportSequence);
  }

  /** A copy of this packet is known to have reached the client. */
  arrived(sequence: number): void {
    this.#history.arrived(sequence);
  }

  #again(sequence: number, packet: Buffer | null): OutgoingPacket | null {
    return packet && { packet, numbered: this.#format?.transportSequenceId != null, carries: sequence };
  }
}
