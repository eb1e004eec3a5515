import type { Socket } from 'node:dgram';
import { engineNow } from '../../../runtime/clock.ts';
import { addressedSocket, bound } from './addressed-socket.ts';
import { DatagramReader } from './datagrams/datagram-reader.ts';
import { DatagramWriter } from './datagrams/datagram-writer.ts';
import { PolledReading, type SocketHandle } from './datagrams/polled-reading.ts';
import { datagramCalls } from './datagrams/system-calls.ts';
import type { LocalAddress } from './local-addresses.ts';
import type { Address } from './address.ts';

/** Room for about 30 ms of packets of 100 sessions while the event loop is busy. The kernel may grant less. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** Node keeps it to itself, but tells it of sockets of TCP. Null if it has moved. */
function handleOf(socket: Socket): SocketHandle | null {
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol');
  const handle = state && (socket as unknown as Record<symbol, { handle?: SocketHandle }>)[state]?.handle;
  return handle && handle.fd >= 0 && typeof handle.recvStop === 'function' ? handle : null;
}

/** @param at the earliest time at which it can have come. */
export type DatagramHandler = (datagram: Buffer, from: Address, at: number) => void;

/** One UDP socket of one family that never throws and never resolves names. */
export interface UdpSocket {
  readonly port: number;
  /** What is sent in one turn of the event loop may leave together at its end. Its memory may be used again at once. */
  send(datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void;
  /** Reads at the end of this turn of the event loop what has come by then, before the event loop would tell of it. */
  expect(): void;
  close(): Promise<void>;
}

export interface UdpSocketOptions {
  readonly local: LocalAddress;
  /** 0: any free port. */
  readonly port: number;
  /** Other processes of this user may bind the port, too. @defaultValue false */
  readonly reusePort?: boolean;
  /** Gets each datagram. Its memory may be used again afterwards. */
  readonly receive: DatagramHandler;
  /** Of what comes while it is busy: many such packets may wait for each other for some milliseconds. */
  readonly isMedia?: (datagram: Buffer) => boolean;
  readonly failed: (error: Error) => void;
}

/** @throws Error of the operating system when the address or port cannot be bound. */
export async function openUdpSocket(options: UdpSocketOptions): Promise<UdpSocket> {
  const { ip, family } = options.local;
  const socket = addressedSocket(family, options);
  await bound(socket, options.port, ip);
  return new BoundSocket(socket, options);
}

class BoundSocket implements UdpSocket {
  readonly port: number;
  readonly #socket: Socket;
  readonly #options: UdpSocketOptions;
  /** Reads and writes many datagrams at once. Null: the system or Node does not allow it. */
  readonly #many: { readonly reader: DatagramReader; readonly writer: DatagramWriter } | null = null;
  readonly #polled: PolledReading | null = null;
  #stage: 'open' | 'closed' = 'open';
  #flush: 'idle' | 'scheduled' = 'idle';
  #reading: 'idle' | 'scheduled' = 'idle';

  constructor(socket: Socket, options: UdpSocketOptions) {
    const { ip, family } = options.local;
    this.port = socket.address().port;
    this.#socket = socket;
    this.#options = options;
    growBuffers(socket);
    const handle = family === 4 ? handleOf(socket) : null;
    if (datagramCalls !== null && handle !== null) {
      const reader = new DatagramReader(datagramCalls, handle.fd, ip);
      const writer = new DatagramWriter(datagramCalls, handle.fd, (datagram, to) => this.#sendAlone(datagram, to));
      this.#many = { reader, writer };
      if (options.isMedia !== undefined)
        this.#polled = new PolledReading(handle, { readAll: () => reader.readAll(this.#seen) });
    }
    socket.on('error', options.failed);
    socket.on('message', (datagram, from) =>
      this.#seen(datagram, { protocol: 'udp', ip: from.address, port: from.port, family, local: ip }),
    );
  }

  send(datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void {
    const many = this.#many;
    if (many === null) return this.#sendAlone(datagram, to);
    if (this.#stage === 'closed') return;
    many.writer.add(datagram, to);
    if (this.#flush === 'scheduled') return;
    this.#flush = 'scheduled';
    process.nextTick(() => {
      this.#flush = 'idle';
      if (this.#stage === 'open') many.writer.flush();
    });
  }

  expect(): void {
    const many = this.#many;
    if (many === null || this.#reading === 'scheduled') return;
    this.#reading = 'scheduled';
    process.nextTick(() => {
      this.#reading = 'idle';
      if (this.#stage === 'open') many.reader.readAll(this.#seen);
    });
  }

  close(): Promise<void> {
    if (this.#stage === 'open') this.#many?.writer.flush();
    this.#stage = 'closed';
    this.#polled?.close();
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  /**
   * Errors of single packets (no route to a network that went away) are normal in networks. Without a callback, Node
   * drops them, and a packet costs a third less.
   */
  #sendAlone(datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void {
    if (this.#stage === 'open') this.#socket.send(datagram, to.port, to.ip);
  }

  readonly #seen = (datagram: Buffer, from: Address): void => {
    const at = this.#polled?.earliest ?? engineNow();
    const { local, isMedia, receive, failed } = this.#options;
    if (this.#polled !== null) this.#polled.came(isMedia!(datagram));
    if (local.senders !== null && !local.senders.has(from.ip)) return;
    try {
      receive(datagram, from, at);
    } catch (error) {
      failed(error as Error);
    }
  };
}

/** If the system refuses larger buffers, the socket works with the system's own size. */
function growBuffers(socket: Socket): void {
  try {
    socket.setRecvBufferSize(BUFFER_BYTES);
    socket.setSendBufferSize(BUFFER_BYTES);
  } catch {
    // As said above.
  }
}
