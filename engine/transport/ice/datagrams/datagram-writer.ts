import type { Address } from '../address.ts';
import { ADDRESS, AF_INET, EAGAIN, MESSAGE, PART, type DatagramCalls } from './system-calls.ts';

type Destination = Pick<Address, 'ip' | 'port'>;

/** Messages of one call. Each is one datagram, or the equally long datagrams of one frame. */
const MESSAGES = 64;
/** Room for all of them. */
const ROOM = 128 * 1_024;
/** The kernel cuts one message into at most this many datagrams (UDP_MAX_SEGMENTS of its older versions). */
const MAX_SEGMENTS = 64;
/** A message with its headers is at most 65,535 bytes long. */
const MAX_MESSAGE_BYTES = 60_000;
/** `struct cmsghdr` with one number: udp(7), UDP_SEGMENT. */
const SEGMENT = { bytes: 24, lengthWithData: 18n, level: 17, type: 103 } as const;
/** Destinations whose address is kept in the kernel's form. */
const KNOWN_DESTINATIONS = 4_096;

interface Message {
  readonly to: Destination;
  readonly start: number;
  end: number;
  /** Length of each datagram, but the last one may be shorter. */
  readonly each: number;
  datagrams: number;
}

/**
 * Sends datagrams of an IPv4 socket, many with one call. Datagrams of one frame, which have one length and one
 * destination, pass the network's layers together (generic segmentation offload): 2.1 instead of 7.7 µs for each.
 */
export class DatagramWriter {
  readonly #calls: DatagramCalls;
  readonly #fd: number;
  readonly #refused: (datagram: Buffer, to: Destination) => void;
  readonly #datagrams = Buffer.alloc(ROOM);
  readonly #addresses = Buffer.alloc(MESSAGES * ADDRESS.bytes);
  readonly #parts = Buffer.alloc(MESSAGES * PART.bytes);
  readonly #controls = Buffer.alloc(MESSAGES * SEGMENT.bytes);
  readonly #headers = Buffer.alloc(MESSAGES * MESSAGE.bytes);
  readonly #datagramsAt: bigint;
  readonly #destinations = new Map<string, Map<number, Buffer>>();
  #known = 0;
  #messages: Message[] = [];
  #bytes = 0;
  #segmentation: 'used' | 'refused' = 'used';

  /** @param refused gets what the kernel did not take: its queue is full, or it cannot cut messages. */
  constructor(calls: DatagramCalls, fd: number, refused: (datagram: Buffer, to: Destination) => void) {
    this.#calls = calls;
    this.#fd = fd;
    this.#refused = refused;
    this.#datagramsAt = calls.addressOf(this.#datagrams);
    const [addresses, parts, controls] = [this.#addresses, this.#parts, this.#controls].map((buffer) =>
      calls.addressOf(buffer),
    ) as [bigint, bigint, bigint];
    for (let i = 0; i < MESSAGES; i += 1) {
      const at = i * MESSAGE.bytes;
      this.#headers.writeBigUInt64LE(addresses + BigInt(i * ADDRESS.bytes), at + MESSAGE.name);
      this.#headers.writeUInt32LE(ADDRESS.bytes, at + MESSAGE.nameBytes);
      this.#headers.writeBigUInt64LE(parts + BigInt(i * PART.bytes), at + MESSAGE.parts);
      this.#headers.writeBigUInt64LE(1n, at + MESSAGE.partCount);
      this.#headers.writeBigUInt64LE(controls + BigInt(i * SEGMENT.bytes), at + MESSAGE.control);
      const control = i * SEGMENT.bytes;
      this.#controls.writeBigUInt64LE(SEGMENT.lengthWithData, control);
      this.#controls.writeUInt32LE(SEGMENT.level, control + 8);
      this.#controls.writeUInt32LE(SEGMENT.type, control + 12);
    }
  }

  /** Whether nothing waits for `flush`. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Its memory may be used again at once. It leaves with the next `flush`, or when there is no more room. */
  add(datagram: Buffer, to: Destination): void {
    if (this.#bytes + datagram.length > ROOM) this.flush();
    const last = this.#messages.at(-1);
    const joins =
      this.#segmentation === 'used' &&
      last !== undefined &&
      last.to.port === to.port &&
      last.to.ip === to.ip &&
      datagram.length <= last.each &&
      (last.end - last.start) % last.each === 0 &&
      last.datagrams < MAX_SEGMENTS &&
      last.end - last.start + datagram.length <= MAX_MESSAGE_BYTES;
    if (!joins && this.#messages.length === MESSAGES) this.flush();
    const start = this.#bytes;
    datagram.copy(this.#datagrams, start);
    this.#bytes += datagram.length;
    if (joins) {
      last.end = this.#bytes;
      last.datagrams += 1;
    } else this.#messages.push({ to, start, end: this.#bytes, each: datagram.length, datagrams: 1 });
  }

  flush(): void {
    const messages = this.#messages;
    if (messages.length === 0) return;
    this.#messages = [];
    this.#bytes = 0;
    messages.forEach((message, index) => this.#lay(message, index));
    let sent = 0;
    while (sent < messages.length) {
      const taken = this.#calls.send(this.#fd, this.#headers.subarray(sent * MESSAGE.bytes), messages.length - sent);
      if (taken <= 0) this.#refuse(messages[sent]!, -taken);
      sent += Math.max(1, taken);
    }
  }

  #lay({ to, start, end, each, datagrams }: Message, index: number): void {
    this.#address(to).copy(this.#addresses, index * ADDRESS.bytes);
    const part = index * PART.bytes;
    this.#parts.writeBigUInt64LE(this.#datagramsAt + BigInt(start), part + PART.base);
    this.#parts.writeUInt32LE(end - start, part + PART.length);
    const isCut = datagrams > 1;
    this.#headers.writeUInt32LE(isCut ? SEGMENT.bytes : 0, index * MESSAGE.bytes + MESSAGE.controlBytes);
    if (isCut) this.#controls.writeUInt16LE(each, index * SEGMENT.bytes + 16);
  }

  #refuse({ to, start, end, each, datagrams }: Message, error: number): void {
    // Devices that cannot compute checksums, and tunnels, refuse all that is to be cut.
    if (datagrams > 1 && error !== EAGAIN) this.#segmentation = 'refused';
    for (let at = start; at < end; at += each)
      this.#refused(Buffer.from(this.#datagrams.subarray(at, Math.min(at + each, end))), to);
  }

  /** In the kernel's form. */
  #address({ ip, port }: Destination): Buffer {
    let ports = this.#destinations.get(ip);
    let address = ports?.get(port);
    if (address !== undefined) return address;
    if (this.#known >= KNOWN_DESTINATIONS) {
      this.#destinations.clear();
      this.#known = 0;
      ports = undefined;
    }
    if (ports === undefined) this.#destinations.set(ip, (ports = new Map()));
    address = Buffer.alloc(ADDRESS.bytes);
    address.writeUInt16LE(AF_INET, ADDRESS.family);
    address.writeUInt16BE(port, ADDRESS.port);
    ip.split('.').forEach((byte, i) => address!.writeUInt8(Number(byte), ADDRESS.ip + i));
    ports.set(port, address);
    this.#known += 1;
    return address;
  }
}
