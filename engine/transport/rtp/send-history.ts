/** A second request within this time, or within a round trip, asks for what is still on its way. */
const RESEND_GAP_MS = 60;
/** Without these two limits a congested link drowned in repeats: 27,954 in 9 s (measured with Chromium). */
const MAX_RESENDS = 3;

interface Entry {
  readonly sequence: number;
  readonly packet: Buffer;
  resends: number;
  lastSentAt: number;
}

/** The last packets of one stream, by sequence number. */
export class SendHistory {
  readonly #ring: (Entry | undefined)[];

  /** @param packets that may be asked for again. */
  constructor(packets: number) {
    this.#ring = Array.from({ length: packets });
  }

  add(sequence: number, packet: Buffer, at: number): void {
    this.#ring[sequence % this.#ring.length] = { sequence, packet, resends: 0, lastSentAt: at };
  }

  /** @returns the packet if it is still there and may be repeated now, else null. */
  resend(sequence: number, at: number, roundTripMs = 0): Buffer | null {
    return this.#repeat(sequence, ({ resends, lastSentAt }) => resends === 0 || at - lastSentAt >= Math.max(RESEND_GAP_MS, roundTripMs), at);
  }

  /** The same where the latest copy is known to be lost: there is nothing to wait for. @param isLatest tells a copy by what it carries. */
  resendLost(sequence: number, isLatest: (packet: Buffer) => boolean, at: number): Buffer | null {
    return this.#repeat(sequence, ({ packet }) => isLatest(packet), at);
  }

  clear(): void {
    this.#ring.fill(undefined);
  }

  #repeat(sequence: number, isDue: (entry: Entry) => boolean, at: number): Buffer | null {
    const entry = this.#ring[sequence % this.#ring.length];
    if (!entry || entry.sequence !== sequence || entry.resends >= MAX_RESENDS || !isDue(entry)) return null;
    entry.resends += 1;
    entry.lastSentAt = at;
    return entry.packet;
  }
}
