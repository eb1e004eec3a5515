import type { Socket } from 'node:net';
import type { Timers } from '../../../../runtime/clock.ts';
import { isStun } from '../stun.ts';
import { framed, FrameReader } from './packet-framing.ts';
import { SendQueue, type PacketKind } from './send-queue.ts';
import { unsentBytes } from './unsent-bytes.ts';

/** How long a connection may take to show that it is a client's. Browsers send a check as soon as it is open. */
export const PROVE_WITHIN_MS = 10_000;
/** How many bytes it may send until then: some 30 checks. */
export const PROVE_WITHIN_BYTES = 4_096;
/**
 * How long a client's connection may bring no packet. A client that does not use this path checks it every 25 s or more
 * often (Chromium), or never again.
 */
export const IDLE_MS = 60_000;
/** How long a connection that is being closed may take to accept what was sent before. */
export const CLOSE_WITHIN_MS = 2_000;
/**
 * How many bytes a connection may bring between two sweeps; then it is read again after the next. At four sweeps a
 * second this is 2 MB a second. A client sends some 10 KB a second, and bursts when it was held up.
 */
export const BYTES_PER_SWEEP = 512 * 1_024;

/**
 * How many bytes the kernel may hold that it has not sent: three packets. Nothing can overtake these bytes. Without this
 * limit there are 20 to 60 KB of them on a slow network (measured: at 150 kbit/s, sound came 1 to 3 s late).
 */
export const MAX_UNSENT_BYTES = 4_096;
/** How soon it is tried again then: the limit takes this long at 6 Mbit/s, which is more than a session sends. */
const TRY_AGAIN_MS = 5;

export interface TcpConnectionHandlers {
  /** @returns whether the packet shows that its sender is a client of a session. */
  packet(packet: Buffer): boolean;
  /** The first such packet came. */
  proven(): void;
  /** Called once. */
  closed(): void;
}

/**
 * One connection on the front's TCP port. It carries packets in both directions, like a UDP address would, and ends
 * when its other end does not behave like a client.
 *
 *   unverified → client → closing → closed     `closing`: what was sent may still leave
 *      └───────────┴──────────────┘
 */
export class TcpConnection {
  readonly #socket: Socket;
  readonly #handlers: TcpConnectionHandlers;
  readonly #timers: Timers;
  readonly #reader = new FrameReader();
  readonly #queue = new SendQueue();
  readonly #flush = (): void => this.#send();
  #tryAgain: unknown = null;
  #stage: 'unverified' | 'client' | 'closing' | 'closed' = 'unverified';
  /** When the present stage began, or the last packet of a client came. */
  #since: number;
  #received = 0;
  #receivedSinceSweep = 0;

  constructor(socket: Socket, handlers: TcpConnectionHandlers, timers: Timers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#timers = timers;
    this.#since = timers.now();
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    // An error is followed by `close`. Connections that break are normal in networks.
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  send(packet: Buffer, kind: PacketKind): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return;
    this.#queue.push(packet, kind);
    this.#send();
  }

  /** Ends the connection when the kernel has taken what was sent. */
  close(): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return;
    for (let packet = this.#queue.take(); packet !== null; packet = this.#queue.take())
      this.#socket.write(framed(packet));
    this.#stage = 'closing';
    this.#since = this.#timers.now();
    this.#socket.end();
  }

  /** Ends the connection at once. A reset, so that the kernel does not keep what the other end never takes. */
  destroy(): void {
    this.#socket.resetAndDestroy();
    this.#closed();
  }

  /** Called several times a second: ends the connection when its time is over, and reads on after a flood. */
  sweep(): void {
    const limit = { unverified: PROVE_WITHIN_MS, client: IDLE_MS, closing: CLOSE_WITHIN_MS, closed: Infinity };
    if (this.#timers.now() - this.#since > limit[this.#stage]) return this.destroy();
    this.#receivedSinceSweep = 0;
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  #receive(bytes: Buffer): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return;
    this.#received += bytes.length;
    this.#receivedSinceSweep += bytes.length;
    const packets = this.#reader.read(bytes);
    if (packets === null) return this.destroy();
    for (const packet of packets) this.#take(packet);
    if (this.#stage === 'unverified' && this.#received > PROVE_WITHIN_BYTES) return this.destroy();
    if (this.#receivedSinceSweep > BYTES_PER_SWEEP) this.#socket.pause();
  }

  #take(packet: Buffer): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return;
    const proves = this.#handlers.packet(packet);
    if (this.#stage === 'client') this.#since = this.#timers.now();
    else if (this.#stage === 'unverified' && proves) {
      this.#stage = 'client';
      this.#since = this.#timers.now();
      this.#handlers.proven();
    } else if (this.#stage === 'unverified' && !isStun(packet)) this.destroy();
  }

  /** Writes as long as the kernel sends. What waits then stays in the queue, where it can be overtaken. */
  #send(): void {
    // A connection that is full calls this again by itself.
    if (this.#tryAgain !== null || this.#stage === 'closing' || this.#stage === 'closed') return;
    while (!this.#queue.isEmpty && this.#socket.writableLength === 0) {
      if (unsentBytes(this.#socket) >= MAX_UNSENT_BYTES) {
        this.#tryAgain = this.#timers.setTimeout(() => {
          this.#tryAgain = null;
          this.#send();
        }, TRY_AGAIN_MS);
        return;
      }
      this.#socket.write(framed(this.#queue.take()!), this.#flush);
    }
  }

  #closed(): void {
    if (this.#stage === 'closed') return;
    this.#stage = 'closed';
    this.#timers.clearTimeout(this.#tryAgain);
    this.#handlers.closed();
  }
}
