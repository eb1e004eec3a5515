/** What a packet to a client carries. A connection that is too slow loses video first. */
export type PacketKind = 'video' | 'other';

/**
 * How many bytes of each kind may wait, besides what the kernel holds. Of video: two keyframes (33 KB each at 720×480),
 * or a quarter of a second at 2 Mbit/s. Of all else: some seconds of sound (5.5 KB a second) with messages and reports.
 */
export const WAITING_BYTES: Readonly<Record<PacketKind, number>> = { video: 65_536, other: 32_768 };

/**
 * Packets that wait until a connection takes more. Sound, messages and checks overtake video. Beyond the limit of its
 * kind, the oldest packet is dropped: the newest picture and the newest sound are worth the most. Whatever is dropped is
 * lost as on any network: clients request video again, and the data channel repeats what is not acknowledged.
 */
export class SendQueue {
  readonly #lanes: Readonly<Record<PacketKind, Lane>> = { video: new Lane(), other: new Lane() };

  get isEmpty(): boolean {
    return this.#lanes.other.isEmpty && this.#lanes.video.isEmpty;
  }

  push(packet: Buffer, kind: PacketKind): void {
    const lane = this.#lanes[kind];
    lane.push(packet);
    while (lane.bytes > WAITING_BYTES[kind]) lane.take();
  }

  /** @returns the packet to send next; null: none waits. */
  take(): Buffer | null {
    return this.#lanes.other.take() ?? this.#lanes.video.take();
  }
}

/** First in, first out. */
class Lane {
  #packets: Buffer[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#packets.length === 0;
  }

  push(packet: Buffer): void {
    this.#packets.push(packet);
    this.#bytes += packet.length;
  }

  take(): Buffer | null {
    const packet = this.#packets.shift();
    if (packet === undefined) return null;
    this.#bytes -= packet.length;
    return packet;
  }
}
