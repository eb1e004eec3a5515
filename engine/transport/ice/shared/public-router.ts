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
import { takesAllOfStrangers } from './first-socket.ts';
import type { EngineOfPort, FromEngineOfPort } from './port-messages.ts';
import { TcpGate } from './tcp-gate.ts';
import { UserNames } from './user-names.ts';

/** Checks that are passed on to one engine process. Each of 100 clients that come at once sends some ten within a second. */
const PASSED_ON = { atOnce: 2_000, perSecond: 1_000 };
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
export async function openPublicRouter(
  options: OwnPortsOptions & {
    /** The same as that of the engine processes. */
    readonly credentials: IceCredentialMaker;
    readonly log: Logger;
  },
): Promise<PublicRouter> {
  const { credentials, log } = options;
  const names = new UserNames<EngineOfPort>();
  const passedOn = new Map<EngineOfPort, TokenBucket>();
  const refusals = new Refusals(credentials, engineNow());
  const failed = (error: Error): void => log.error({ err: error }, 'a media port reported an error');
  const sockets = new Map<string, UdpSocket>();

  function received(packet: Buffer, from: Address, answer: (packet: Buffer) => void): void {
    // All else comes from addresses that no session has, or had.
    if (!isStun(packet)) return;
    const request = parseBindingRequest(packet);
    if (request === null) return;
    const owner = names.ownerOf(request.localUfrag);
    if (owner !== null) {
      if (credentials.passwordOf(request) !== null) passOn(owner, packet, from);
      return;
    }
    const refusal = refusals.to(request, engineNow());
    if (refusal !== null) answer(refusal);
  }

  function passOn(engine: EngineOfPort, packet: Buffer, from: Address): void {
    const now = engineNow();
    let bucket = passedOn.get(engine);
    if (bucket === undefined) passedOn.set(engine, (bucket = new TokenBucket(PASSED_ON, now)));
    if (!bucket.has(1, now)) return;
    bucket.spend(1, now);
    engine.tell({ kind: 'port.packet', packet, from });
  }

  async function openUdp({ ip, family, senders }: LocalAddress, port: number): Promise<number> {
    const free = await boundAlone(ip, port, family);
    const socket = addressedSocket(family, { reusePort: true });
    sockets.set(ip, socket);
    await bound(socket, free, ip);
    if (!takesAllOfStrangers(socket))
      log.info(
        'the kernel spreads the first packets of clients over all sockets of the media port; they are passed on',
      );
    socket.on('error', failed);
    socket.on('message', (packet, { address, port: number }) => {
      if (senders !== null && !senders.has(address)) return;
      try {
        const from: Address = { protocol: 'udp', ip: address, port: number, family, local: ip };
        received(packet, from, (answer) => socket.send(answer, number, address));
      } catch (error) {
        failed(error as Error);
      }
    });
    try {
      socket.setRecvBufferSize(BUFFER_BYTES);
    } catch {
      // If the system refuses larger buffers, the socket works with the system's own size.
    }
    return free;
  }

  const gate = new TcpGate({ names, credentials, refusals, timers: systemTimers, failed });
  let tcp: Awaited<ReturnType<typeof listenForTcp>> | null = null;
  let { port } = options;
  const close = async (): Promise<void> => {
    gate.close();
    // Sockets that were handed over count as open until their process ends, so nobody waits for this one.
    void tcp?.close();
    await Promise.all([...sockets.values()].map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  };
  try {
    const addresses = localAddresses(options);
    for (const address of addresses) port = await openUdp(address, port);
    if (options.tcpPort !== null) {
      const accept = (socket: Socket): void => gate.accept(socket);
      tcp = await listenForTcp({ ips: tcpAddresses(addresses), port: options.tcpPort ?? port, accept, failed }).catch(
        (error: unknown) => {
          if (options.tcpPort !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
          return null;
        },
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  const sweeping = setInterval(() => gate.sweep(), SWEEP_MS);
  sweeping.unref();
  return {
    udpPort: port,
    tcpPort: tcp?.port ?? null,
    told(engine, message) {
      if (message.kind === 'port.userName') names.add(engine, message.ufrag);
      else if (message.kind === 'port.noUserName') names.remove(engine, message.ufrag);
      else
        received(Buffer.from(message.packet), message.from, (answer) =>
          sockets.get(message.from.local)?.send(answer, message.from.port, message.from.ip),
        );
    },
    died(engine) {
      names.removeAllOf(engine);
      passedOn.delete(engine);
    },
    async close() {
      clearInterval(sweeping);
      await close();
    },
  };
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
