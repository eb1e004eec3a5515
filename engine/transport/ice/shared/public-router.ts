import type { Socket as UdpSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { engineNow, systemTimers } from '../../../../runtime/clock.ts';
import { TokenBucket } from '../../../../runtime/token-bucket.ts';
import type { Logger } from '../../../../runtime/log.ts';
import { addressedSocket, bound } from '../addressed-socket.ts';
import type { Address } from '../address.ts';
import { tcpAddresses, type OwnPortsOptions } from '../public-ports.ts';
import type { IceCredentialMaker } from '../credential-maker.ts';
import { Refusals } from '../refusals.ts';
import { isStun, parseBindingRequest } from '../stun.ts';
import { listenForTcp } from '../tcp/tcp-port.ts';
import { localAddresses, type LocalAddress } from '../local-addresses.ts';
import { receiveAllUnconnected } from './reuseport-filter.ts';
import type { EngineOfPort, FromEngineOfPort } from './port-messages.ts';
import { TcpGate } from './tcp-gate.ts';
import { UfragOwners } from './ufrag-owners.ts';

/** Checks that are passed on to one engine process. Each of 100 clients that come at once sends some ten within a second. */
const FORWARDED_DATAGRAMS = { atOnce: 2_000, perSecond: 1_000 };
/** Of the socket that gets the first packets of all clients. */
const BUFFER_BYTES = 4 * 1024 * 1024;
const SWEEP_MS = 1_000;

export interface PublicRouter {
  readonly udpPort: number;
  readonly tcpPort: number | null;
  /** What an engine process tells. */
  told(engine: EngineOfPort, message: FromEngineOfPort): void;
  /** It is gone: its clients are told so when they check, and restart ICE at once. */
  died(engine: EngineOfPort): void;
  close(): Promise<void>;
}

/**
 * The public ports of several engine processes: one UDP port and one TCP port. Whoever comes first to an engine comes here:
 * an authenticated check is passed on to the process that has its session, and a TCP connection goes there with it. From
 * then on that process has a socket of its own for this client, and nothing of it passes here.
 * @throws Error of the operating system when an address or a port cannot be bound.
 */
export async function openPublicRouter(options: PublicRouterOptions): Promise<PublicRouter> {
  const router = new SharingRouter(options);
  try {
    await router.open();
  } catch (error) {
    await router.close();
    throw error;
  }
  return router;
}

export interface PublicRouterOptions extends OwnPortsOptions {
  /** The same as that of the engine processes. */
  readonly credentials: IceCredentialMaker;
  readonly log: Logger;
}

class SharingRouter implements PublicRouter {
  readonly #options: PublicRouterOptions;
  readonly #names = new UfragOwners<EngineOfPort>();
  readonly #forwardBudgets = new Map<EngineOfPort, TokenBucket>();
  readonly #refusals: Refusals;
  /** Of each address, its UDP socket. */
  readonly #sockets = new Map<string, UdpSocket>();
  readonly #gate: TcpGate;
  #tcp: Awaited<ReturnType<typeof listenForTcp>> | null = null;
  #udpPort: number;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: PublicRouterOptions) {
    const { credentials, port } = options;
    this.#options = options;
    this.#udpPort = port;
    this.#refusals = new Refusals(credentials, engineNow());
    this.#gate = new TcpGate({
      names: this.#names,
      credentials,
      refusals: this.#refusals,
      timers: systemTimers,
      failed: this.#failed,
    });
  }

  get udpPort(): number {
    return this.#udpPort;
  }

  get tcpPort(): number | null {
    return this.#tcp?.port ?? null;
  }

  /** @throws when an address or a port cannot be bound: then it is to be closed. */
  async open(): Promise<void> {
    const addresses = localAddresses(this.#options);
    for (const address of addresses) this.#udpPort = await this.#openUdp(address, this.#udpPort);
    if (this.#options.tcpPort !== null) this.#tcp = await this.#openTcp(tcpAddresses(addresses));
    this.#sweeping = setInterval(() => this.#gate.sweep(), SWEEP_MS);
    this.#sweeping.unref();
  }

  told(engine: EngineOfPort, message: FromEngineOfPort): void {
    if (message.kind === 'port.userName') return void this.#names.add(engine, message.ufrag);
    if (message.kind === 'port.noUserName') return void this.#names.remove(engine, message.ufrag);
    const { packet, from } = message;
    this.#received(Buffer.from(packet), from, (answer) =>
      this.#sockets.get(from.local)?.send(answer, from.port, from.ip),
    );
  }

  died(engine: EngineOfPort): void {
    this.#names.removeAllOf(engine);
    this.#forwardBudgets.delete(engine);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#gate.close();
    // Sockets that were handed over count as open until their process ends, so nobody waits for this one.
    void this.#tcp?.close();
    const sockets = [...this.#sockets.values()];
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  }

  readonly #failed = (error: Error): void => this.#options.log.error({ err: error }, 'a media port reported an error');

  /** @param port 0: any free one. @returns the port. */
  async #openUdp({ ip, family, senders }: LocalAddress, port: number): Promise<number> {
    const free = await boundAlone(ip, port, family);
    const socket = addressedSocket(family, { reusePort: true });
    this.#sockets.set(ip, socket);
    await bound(socket, free, ip);
    if (!receiveAllUnconnected(socket))
      this.#options.log.info(
        'the kernel spreads the first packets of clients over all sockets of the media port; they are passed on',
      );
    socket.on('error', this.#failed);
    socket.on('message', (packet, { address, port: number }) => {
      if (senders !== null && !senders.has(address)) return;
      try {
        const from: Address = { protocol: 'udp', ip: address, port: number, family, local: ip };
        this.#received(packet, from, (answer) => socket.send(answer, number, address));
      } catch (error) {
        this.#failed(error as Error);
      }
    });
    try {
      socket.setRecvBufferSize(BUFFER_BYTES);
    } catch {
      // If the system refuses larger buffers, the socket works with the system's own size.
    }
    return free;
  }

  /** @returns null when another program has the port, and nobody asked for this one. */
  async #openTcp(ips: readonly string[]) {
    const { tcpPort } = this.#options;
    const accept = (socket: Socket): void => this.#gate.accept(socket);
    const port = tcpPort ?? this.#udpPort;
    return listenForTcp({ ips, port, accept, failed: this.#failed }).catch((error: unknown) => {
      if (tcpPort !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return null;
    });
  }

  #received(packet: Buffer, from: Address, answer: (packet: Buffer) => void): void {
    // All else comes from addresses that no session has, or had.
    if (!isStun(packet)) return;
    const request = parseBindingRequest(packet);
    if (request === null) return;
    const owner = this.#names.ownerOf(request.localUfrag);
    if (owner !== null) {
      if (this.#options.credentials.passwordOf(request) !== null) this.#forward(owner, packet, from);
      return;
    }
    const refusal = this.#refusals.to(request, engineNow());
    if (refusal !== null) answer(refusal);
  }

  #forward(engine: EngineOfPort, packet: Buffer, from: Address): void {
    const now = engineNow();
    let bucket = this.#forwardBudgets.get(engine);
    if (bucket === undefined) this.#forwardBudgets.set(engine, (bucket = new TokenBucket(FORWARDED_DATAGRAMS, now)));
    if (!bucket.has(1, now)) return;
    bucket.spend(1, now);
    engine.tell({ kind: 'port.packet', packet, from });
  }
}

/** A port that is shared can be bound by another service of this user without an error. @throws when somebody has it. */
async function boundAlone(ip: string, port: number, family: 4 | 6): Promise<number> {
  const probe = addressedSocket(family);
  try {
    await bound(probe, port, ip);
    return probe.address().port;
  } finally {
    await new Promise<void>((resolve) => probe.close(resolve));
  }
}
