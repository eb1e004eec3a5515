import type { Logger } from '../../../runtime/log.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { openUdpSocket, type UdpSocket } from './udp-sockets.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import { FrontPackets } from './front-packets.ts';
import { FrontRoutes } from './front-routes.ts';
import { FrontSession, type FrontSessionHandlers, type FrontTables } from './front-session.ts';
import type { LocalAddress, Reachable } from './local-addresses.ts';
import { openOwnPorts, type OpenPublicPorts, type OwnPortsOptions, type PublicPorts } from './public-ports.ts';
import { Refusals } from './refusals.ts';

/** How often the front checks sessions for silence, and TCP connections for their limits: a fraction of all limits. */
const SWEEP_MS = 250;
const LOOPBACK: LocalAddress = { ip: '127.0.0.1', family: 4, senders: null };

export interface IceFront {
  /** The public UDP port. */
  readonly port: number;
  /** The TCP port for clients whose networks block UDP; null: none. */
  readonly tcpPort: number | null;
  readonly reachable: Reachable;
  /** Open TCP connections, whoever has opened them. */
  readonly tcpConnections: number;
  openSession(handlers: FrontSessionHandlers): FrontSession;
  /** A peer was given packets to send: what it has made of them is at the front before this returns to the event loop. */
  peerSends(): void;
  close(): Promise<void>;
}

/**
 * The public end of all media: an ICE-lite agent (RFC 8445) on one UDP port, and on one TCP port. It answers authenticated checks, and
 * carries everything else between a client's addresses and the loopback port of the client's WebRTC peer. So ICE can be
 * restarted, and even the peer replaced, and the other side does not notice. A sender that does not know a session's
 * password gets no answer, so the port cannot be used to amplify traffic.
 * @throws Error of the operating system when an address or a port cannot be bound.
 */
export async function openIceFront(
  options: OwnPortsOptions & {
    /** @defaultValue ports that only this process has */
    readonly openPorts?: OpenPublicPorts | undefined;
    /** Makes the credentials of all sessions. @defaultValue one with a key of its own */
    readonly credentials?: IceCredentialMaker | undefined;
    readonly log: Logger;
  },
): Promise<IceFront> {
  const { log, publicAddresses, ownMachineAddresses, credentials = new IceCredentialMaker() } = options;
  const { openPorts = (handlers) => openOwnPorts(options, handlers) } = options;
  const failed = (error: Error): void => log.error({ err: error }, 'a media port reported an error');
  const routes = new FrontRoutes(() => ports);
  const packets = new FrontPackets(routes, new Refusals(credentials, engineNow()), {
    ports: () => ports,
    inner: () => inner,
  });
  const inner = await openUdpSocket({
    local: LOOPBACK,
    port: 0,
    receive: (datagram, from) => packets.fromPeer(datagram, from),
    failed,
  });
  const ports = await openPorts({
    packet: (packet, from, at) => packets.fromClient(packet, from, at),
    gone: (address) => routes.gone(address),
    failed,
  }).catch(async (error: unknown) => {
    await inner.close();
    throw error;
  });
  const sweeping = setInterval(() => {
    const now = engineNow();
    for (const session of routes.sessions()) session.checkSilence(now);
    ports.sweep();
  }, SWEEP_MS);
  const tables = tablesOf(routes, credentials, { ports, inner });

  return {
    port: ports.port,
    tcpPort: ports.tcpPort,
    reachable: { publicAddresses, ownMachineAddresses },
    get tcpConnections() {
      return ports.tcpConnections;
    },
    openSession(handlers) {
      const session = new FrontSession(tables, handlers);
      routes.addSession(session);
      return session;
    },
    peerSends: () => inner.expect(),
    async close() {
      clearInterval(sweeping);
      for (const session of routes.sessions()) session.close();
      await Promise.all([inner.close(), ports.close()]);
    },
  };
}

/** What each session of the front uses of it. */
function tablesOf(
  routes: FrontRoutes,
  credentials: IceCredentialMaker,
  { ports, inner }: { readonly ports: PublicPorts; readonly inner: UdpSocket },
): FrontTables {
  return {
    timers: systemTimers,
    innerPort: inner.port,
    freshCredentials: () => credentials.make(),
    addGeneration: (generation, session) => routes.addGeneration(generation, session),
    removeGeneration: (generation) => routes.removeGeneration(generation),
    addAddress: (key, session) => routes.addAddress(key, session),
    removeAddress: (key, session) => routes.removeAddress(key, session),
    addInner: (ufrag, session) => routes.addInner(ufrag, session),
    removeInner: (ufrag, innerPort, session) => routes.removeInner(ufrag, innerPort, session),
    addInnerPort: (innerPort, session) => routes.addInnerPort(innerPort, session),
    removeSession: (session) => routes.removeSession(session),
    sendOut: ports.send,
    sendIn: (datagram, innerPort) => inner.send(datagram, { ip: LOOPBACK.ip, port: innerPort }),
  };
}
