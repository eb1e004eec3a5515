import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { AudioPacket } from '../../media/media-types.ts';

/** Packets of many sessions in one message to the worker. */
export interface PackedPackets {
  /** Their payloads, one after the other. */
  readonly payloads: Uint8Array;
  /** `FIELDS` numbers for each packet. */
  readonly heads: Float64Array;
}

/** Session, sequence number, timestamp, time of arrival, bytes of the payload. */
const FIELDS = 5;
/**
 * Packets leave at most this often. A single packet is not delayed. With several sessions, packets wait for others: to
 * wake the worker costs more than what a packet needs of it, and the VAD judges the windows of a message in one run.
 */
export const BATCH_MS = 6;
/** Room for 20 ms of some 400 sessions. A full batch leaves at once. */
const MAX_BYTES = 64 * 1_024;

/** Collects packets for the worker. The memory of a packet may be used again once it was added. */
export class PacketBatch {
  readonly #send: (packets: PackedPackets) => void;
  readonly #timers: Timers;
  readonly #payloads = new Uint8Array(MAX_BYTES);
  #bytes = 0;
  #heads: number[] = [];
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: unknown = null;

  constructor(send: (packets: PackedPackets) => void, timers: Timers = systemTimers) {
    this.#send = send;
    this.#timers = timers;
  }

  add(session: number, { payload, sequence, timestamp, arrivedAt }: AudioPacket): void {
    if (this.#bytes + payload.length > MAX_BYTES) this.flush();
    this.#payloads.set(payload, this.#bytes);
    this.#bytes += payload.length;
    this.#heads.push(session, sequence, timestamp, arrivedAt, payload.length);
    if (this.#timer !== null) return;
    const wait = this.#sentAt + BATCH_MS - this.#timers.now();
    if (wait <= 0) this.flush();
    else this.#timer = this.#timers.setTimeout(() => this.flush(), wait);
  }

  /** Sends what was added, for what has to come after it. */
  flush(): void {
    if (this.#timer !== null) this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#heads.length === 0) return;
    const heads = Float64Array.from(this.#heads);
    const payloads = this.#payloads.slice(0, this.#bytes);
    this.#heads = [];
    this.#bytes = 0;
    this.#sentAt = this.#timers.now();
    this.#send({ payloads, heads });
  }
}

/** @param take gets each packet in the order in which it was added. The payload shares the memory of the message. */
export function unpackPackets(
  { payloads, heads }: PackedPackets,
  take: (session: number, packet: AudioPacket) => void,
): void {
  let end = 0;
  for (let at = 0; at + FIELDS <= heads.length; at += FIELDS) {
    const [session, sequence, timestamp, arrivedAt, bytes] = heads.subarray(at, at + FIELDS) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    const start = end;
    end += bytes;
    take(session, { payload: payloads.subarray(start, end), sequence, timestamp, arrivedAt });
  }
}
