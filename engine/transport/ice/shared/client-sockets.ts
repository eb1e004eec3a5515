import type { Socket } from 'node:dgram';
import { addressedSocket } from '../addressed-socket.ts';
import { addressKey, type Address } from '../address.ts';

/** Room for about a second of one client's packets while the event loop is busy. */
const BUFFER_BYTES = 256 * 1024;
/**
 * Sockets of this process at the same time. A client has one for each of its networks, at most `MAX_ADDRESSES`; each takes
 * a file descriptor, of which a process often has 1,024 or 4,096. Without one, a client of a new address is not heard.
 */
const MAX_SOCKETS = 4_096;

export interface ClientSocketsHandlers {
  packet(packet: Buffer, from: Address): void;
  /** A packet of somebody else. */
  stray(packet: Buffer, from: Address): void;
  failed(error: Error): void;
}

/**
 * A socket for each address of a client, on the port that all processes share and connected to that address: so the kernel
 * gives the packets of this client to this process and to no other.
 */
export class ClientSockets {
  readonly #port: number;
  readonly #handlers: ClientSocketsHandlers;
  readonly #open = new Map<string, Socket>();

  constructor(port: number, handlers: ClientSocketsHandlers) {
    this.#port = port;
    this.#handlers = handlers;
  }

  get size(): number {
    return this.#open.size;
  }

  /** When this returns, the kernel gives the packets of this address to this process. Never throws. */
  open(address: Address): void {
    const key = addressKey(address);
    if (this.#open.has(key) || this.#open.size >= MAX_SOCKETS) return;
    const { family, local } = address;
    // Its look-ups are answered at once, so that the socket is bound and connected when this returns.
    const socket = addressedSocket(family, { reusePort: true });
    this.#open.set(key, socket);
    socket.on('message', (packet, { address: from, port }) => {
      try {
        // What came between bind and connect.
        if (port === address.port && from === address.ip) this.#handlers.packet(packet, address);
        else this.#handlers.stray(packet, { protocol: 'udp', ip: from, port, family, local });
      } catch (error) {
        this.#handlers.failed(error as Error);
      }
    });
    // The kernel tells of every ICMP error of a connected socket: a client whose network went away. That is normal.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH' || error.code === 'ENETUNREACH') return;
      this.#handlers.failed(error);
      this.close(key);
    });
    socket.bind(this.#port, local);
    socket.connect(address.port, address.ip);
    try {
      socket.setRecvBufferSize(BUFFER_BYTES);
    } catch {
      // If the system refuses, the socket works with the system's own size.
    }
  }

  /** Nothing happens if there is none. */
  close(key: string): void {
    const socket = this.#open.get(key);
    if (socket === undefined) return;
    this.#open.delete(key);
    socket.close();
  }

  closeAll(): void {
    for (const key of this.#open.keys()) this.close(key);
  }
}
