/** A second request within this time, or within a round trip, asks for a packet that is still on its way. */
const RETRANSMISSION_GAP_MS = 60;
/**
 * Without these two limits a congested link carried almost only retransmissions: 27,954 in 9 s (measured with
 * Chromium).
 */
const MAX_RETRANSMISSIONS = 3;
/** A receiver's jitter buffer gives up earlier. */
export const KEPT_MS = 5_000;

interface Entry {
  readonly sequence: number;
  /** Null: it has arrived, or is too old. */
  packet: Buffer | null;
  readonly sentAt: number;
  state: 'sent once' | 'sent again' | 'arrived';
  retransmissions: number;
  lastSentAt: number;
  /** The transport-wide number of its latest copy; null until that has left. */
  latest: number | null;
}

/** The last packets of one stream, by sequence number, and what happened to them. */
export class SendHistory {
  readonly #ring: (Entry | undefined)[];
  /** Of the first packet that may still be there; null: there is none. */
  #oldest: number | null = null;

  /** @param packets that may be asked for again. */
  constructor(packets: number) {
    this.#ring = Array.from({ length: packets });
  }

  add(sequence: number, packet: Buffer, at: number): void {
    this.#dropOld(sequence, at);
    this.#ring[sequence % this.#ring.length] = {
      sequence,
      packet,
      sentAt: at,
      state: 'sent once',
      retransmissions: 0,
      lastSentAt: at,
      latest: null,
    };
  }

  /** When it was first sent; null: too long ago to be known. */
  sentAt(sequence: number): number | null {
    return this.#find(sequence)?.sentAt ?? null;
  }

  /** A copy of it left under this transport-wide number. */
  left(sequence: number, transportSequence: number): void {
    const entry = this.#find(sequence);
    if (entry) entry.latest = transportSequence;
  }

  /** A copy of it is known to have reached the client. */
  arrived(sequence: number): void {
    const entry = this.#find(sequence);
    if (entry) Object.assign(entry, { state: 'arrived', packet: null });
  }

  /** @returns the packet if it is still there and may be retransmitted now, else null. */
  retransmit(sequence: number, at: number, roundTripMs = 0): Buffer | null {
    return this.#retransmit(
      sequence,
      ({ state, lastSentAt }) =>
        state === 'sent once' || at - lastSentAt >= Math.max(RETRANSMISSION_GAP_MS, roundTripMs),
      at,
    );
  }

  /**
   * The same if the copy with this number is known to be lost: if it was the latest copy, there is nothing to wait for.
   */
  retransmitLost(sequence: number, transportSequence: number, at: number): Buffer | null {
    return this.#retransmit(sequence, ({ latest }) => latest === transportSequence, at);
  }

  /**
   * @returns the packet to send a second time without a request; null when it was already sent twice or this is not
   * needed.
   */
  retransmitProactively(sequence: number, at: number): Buffer | null {
    const entry = this.#find(sequence);
    if (entry?.state !== 'sent once' || entry.packet === null) return null;
    entry.state = 'sent again';
    entry.lastSentAt = at;
    return entry.packet;
  }

  /** @returns the packet to send once more after a retransmission; null when one has arrived. */
  retransmitOnceMore(sequence: number, at: number): Buffer | null {
    const entry = this.#find(sequence);
    if (!entry || entry.packet === null) return null;
    entry.lastSentAt = at;
    return entry.packet;
  }

  /**
   * Whether a request for this packet is in vain: the packet is no longer kept, or it was retransmitted as often as
   * allowed, and the last time is not recent.
   */
  isGone(sequence: number, at: number, roundTripMs: number): boolean {
    const entry = this.#find(sequence);
    return (
      entry === undefined ||
      (entry.state !== 'arrived' &&
        (entry.packet === null ||
          (entry.retransmissions >= MAX_RETRANSMISSIONS && at - entry.lastSentAt >= roundTripMs)))
    );
  }

  clear(): void {
    this.#ring.fill(undefined);
    this.#oldest = null;
  }

  /** When each was sent stays known. @param next the number of the packet that comes now. */
  #dropOld(next: number, at: number): void {
    for (this.#oldest ??= next; this.#oldest !== next; this.#oldest = (this.#oldest + 1) & 0xffff) {
      const entry = this.#find(this.#oldest);
      if (entry === undefined) continue;
      if (at - entry.sentAt < KEPT_MS) return;
      entry.packet = null;
    }
  }

  #find(sequence: number): Entry | undefined {
    const entry = this.#ring[sequence % this.#ring.length];
    return entry?.sequence === sequence ? entry : undefined;
  }

  #retransmit(sequence: number, isDue: (entry: Entry) => boolean, at: number): Buffer | null {
    const entry = this.#find(sequence);
    if (!entry || entry.packet === null || entry.retransmissions >= MAX_RETRANSMISSIONS || !isDue(entry)) return null;
    entry.state = 'sent again';
    entry.retransmissions += 1;
    entry.lastSentAt = at;
    return entry.packet;
  }
}
