import type { Address } from '../address.ts';
import { ADDRESS, AF_INET, MESSAGE, MSG_TRUNC, PART, type DatagramCalls } from './system-calls.ts';

/** Of one call: 100 ms of packets of a client, or one packet of each of 64. */
const DATAGRAMS = 64;
/** Room for a datagram. WebRTC sends none that is larger than 1,500 bytes; a larger one is dropped. */
const ROOM = 2_048;
/** Senders whose address is kept as text. Whoever invents more of them only costs the text of each packet. */
const KNOWN_SENDERS = 4_096;
/** A datagram socket that never ends to be full must not keep the thread. */
const MAX_CALLS = 16;

/** Reads what waits on an IPv4 socket, many datagrams with one call, always into the same memory. */
export class DatagramReader {
  readonly #calls: DatagramCalls;
  readonly #fd: number;
  readonly #local: string;
  readonly #datagrams = Buffer.alloc(DATAGRAMS * ROOM);
  readonly #slots = Array.from({ length: DATAGRAMS }, (_, i) => this.#datagrams.subarray(i * ROOM, (i + 1) * ROOM));
  readonly #addresses = Buffer.alloc(DATAGRAMS * ADDRESS.bytes);
  readonly #parts = Buffer.alloc(DATAGRAMS * PART.bytes);
  readonly #headers = Buffer.alloc(DATAGRAMS * MESSAGE.bytes);
  readonly #view = new DataView(this.#headers.buffer, this.#headers.byteOffset);
  readonly #senders = new Map<number, Address>();

  /** @param local where the socket is bound. */
  constructor(calls: DatagramCalls, fd: number, local: string) {
    this.#calls = calls;
    this.#fd = fd;
    this.#local = local;
    const [datagrams, addresses, parts] = [this.#datagrams, this.#addresses, this.#parts].map((buffer) =>
      calls.addressOf(buffer),
    ) as [bigint, bigint, bigint];
    for (let i = 0; i < DATAGRAMS; i += 1) {
      this.#parts.writeBigUInt64LE(datagrams + BigInt(i * ROOM), i * PART.bytes + PART.base);
      this.#parts.writeBigUInt64LE(BigInt(ROOM), i * PART.bytes + PART.length);
      const at = i * MESSAGE.bytes;
      this.#headers.writeBigUInt64LE(addresses + BigInt(i * ADDRESS.bytes), at + MESSAGE.name);
      this.#headers.writeBigUInt64LE(parts + BigInt(i * PART.bytes), at + MESSAGE.parts);
      this.#headers.writeBigUInt64LE(1n, at + MESSAGE.partCount);
      this.#headers.writeUInt32LE(ADDRESS.bytes, at + MESSAGE.nameBytes);
    }
  }

  /**
   * @param receive gets each datagram; its memory is used again afterwards. It must not throw, and must not read from
   * this reader. @returns how many there were.
   */
  readAll(receive: (datagram: Buffer, from: Address) => void): number {
    let all = 0;
    for (let call = 0; call < MAX_CALLS; call += 1) {
      const count = this.#calls.receive(this.#fd, this.#headers, DATAGRAMS);
      for (let i = 0; i < count; i += 1) {
        const at = i * MESSAGE.bytes;
        const length = this.#view.getUint32(at + MESSAGE.length, true);
        const flags = this.#view.getUint32(at + MESSAGE.flags, true);
        // The kernel has written how long the name is.
        this.#view.setUint32(at + MESSAGE.nameBytes, ADDRESS.bytes, true);
        const from = this.#sender(i * ADDRESS.bytes);
        if ((flags & MSG_TRUNC) === 0 && from !== null) receive(this.#slots[i]!.subarray(0, length), from);
      }
      all += count;
      if (count < DATAGRAMS) break;
    }
    return all;
  }

  #sender(at: number): Address | null {
    const bytes = this.#addresses;
    if (bytes.readUInt16LE(at + ADDRESS.family) !== AF_INET) return null;
    const port = bytes.readUInt16BE(at + ADDRESS.port);
    const ip = bytes.readUInt32BE(at + ADDRESS.ip);
    const number = ip * 2 ** 16 + port;
    let sender = this.#senders.get(number);
    if (sender === undefined) {
      if (this.#senders.size >= KNOWN_SENDERS) this.#senders.clear();
      const text = `${ip >>> 24}.${(ip >>> 16) & 0xff}.${(ip >>> 8) & 0xff}.${ip & 0xff}`;
      sender = { protocol: 'udp', ip: text, port, family: 4, local: this.#local };
      this.#senders.set(number, sender);
    }
    return sender;
  }
}
