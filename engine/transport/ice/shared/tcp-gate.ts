import type { Socket } from 'node:net';
import { clientNetwork } from '../../../../runtime/client-network.ts';
import type { Timers } from '../../../../runtime/clock.ts';
import type { IceCredentialMaker } from '../credential-maker.ts';
import type { Refusals } from '../refusals.ts';
import { parseBindingRequest } from '../stun.ts';
import { framed, FrameReader } from '../tcp/packet-framing.ts';
import { UnverifiedConnections } from '../tcp/unverified-connections.ts';
import { PROVE_WITHIN_BYTES, PROVE_WITHIN_MS } from '../tcp/tcp-connection.ts';
import type { EngineOfPort } from './port-messages.ts';
import type { UfragOwners } from './ufrag-owners.ts';

interface Waiting {
  readonly socket: Socket;
  readonly since: number;
  readonly chunks: Buffer[];
  readonly reader: FrameReader;
}

/**
 * Connections on a TCP port that several engine processes share. The first check says whose a connection is; it goes there
 * with all that was read from it. Until then it is unverified, and must hurry.
 */
export class TcpGate {
  readonly #names: UfragOwners<EngineOfPort>;
  readonly #credentials: IceCredentialMaker;
  readonly #refusals: Refusals;
  readonly #timers: Timers;
  readonly #failed: (error: Error) => void;
  readonly #waiting = new Map<Socket, Waiting>();
  readonly #unverified = new UnverifiedConnections<Socket>();

  constructor(options: {
    readonly names: UfragOwners<EngineOfPort>;
    readonly credentials: IceCredentialMaker;
    readonly refusals: Refusals;
    readonly timers: Timers;
    readonly failed: (error: Error) => void;
  }) {
    this.#names = options.names;
    this.#credentials = options.credentials;
    this.#refusals = options.refusals;
    this.#timers = options.timers;
    this.#failed = options.failed;
  }

  accept(socket: Socket): void {
    const { remoteAddress: ip } = socket;
    // It was closed before it was accepted.
    if (ip === undefined) return void socket.destroy();
    const waiting: Waiting = { socket, since: this.#timers.now(), chunks: [], reader: new FrameReader() };
    this.#waiting.set(socket, waiting);
    socket.on('data', (bytes: Buffer) => {
      try {
        this.#read(waiting, bytes);
      } catch (error) {
        this.#failed(error as Error);
        this.#drop(socket);
      }
    });
    // An error is followed by `close`. Connections that break are normal in networks.
    socket.on('error', () => {});
    socket.on('close', () => this.#forget(socket));
    const one = this.#unverified.add(socket, clientNetwork(ip));
    if (one !== null) this.#drop(one);
  }

  /** Called about once a second. */
  sweep(): void {
    const now = this.#timers.now();
    for (const { socket, since } of this.#waiting.values()) if (now - since > PROVE_WITHIN_MS) this.#drop(socket);
  }

  close(): void {
    for (const socket of this.#waiting.keys()) this.#drop(socket);
  }

  #read(waiting: Waiting, bytes: Buffer): void {
    const { socket, reader, chunks } = waiting;
    if (!this.#waiting.has(socket)) return;
    chunks.push(bytes);
    const packets = reader.read(bytes);
    if (packets === null) return this.#drop(socket);
    for (const packet of packets) {
      const request = parseBindingRequest(packet);
      if (request === null) return this.#drop(socket);
      const owner = this.#names.ownerOf(request.localUfrag);
      if (owner !== null) {
        if (this.#credentials.passwordOf(request) !== null) return this.#handOver(waiting, owner);
        continue;
      }
      const refusal = this.#refusals.to(request, this.#timers.now());
      if (refusal === null) continue;
      this.#forget(socket);
      socket.end(framed(refusal));
      return;
    }
    if (chunks.reduce((sum, { length }) => sum + length, 0) > PROVE_WITHIN_BYTES) this.#drop(socket);
  }

  #handOver({ socket, chunks }: Waiting, owner: EngineOfPort): void {
    this.#forget(socket);
    // What is read from now on would be lost: only the other process may read.
    stopReading(socket);
    socket.removeAllListeners('data');
    socket.removeAllListeners('close');
    owner.tell({ kind: 'port.connection', read: Buffer.concat(chunks) }, socket);
  }

  #drop(socket: Socket): void {
    this.#forget(socket);
    socket.resetAndDestroy();
  }

  #forget(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#unverified.remove(socket);
  }
}

/** `pause` lets the system's buffer be read once more. */
function stopReading(socket: Socket): void {
  socket.pause();
  (socket as unknown as { readonly _handle: { readStop?(): void } | null })._handle?.readStop?.();
}
