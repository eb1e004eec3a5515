import type { Logger } from '../../../runtime/log.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { openUdpSocket } from './udp-sockets.ts';
import { addressKey, type Address } from './address.ts';
import type { Generation } from './public-path.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import {
  bindingRefusal,
  bindingSuccess,
  isAuthentic,
  isStun,
  parseBindingRequest,
  type BindingRequest,
} from './stun.ts';
import { Refusals } from './refusals.ts';
import { FrontSession, type FrontSessionHandlers, type FrontTables } from './front-session.ts';
import type { LocalAddress, Reachable } from './local-addresses.ts';
import { openOwnPorts, type OpenPublicPorts, type OwnPortsOptions } from './public-ports.ts';

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
  const {
    log,
    publicAddresses,
    ownMachineAddresses,
    openPorts = (handlers) => openOwnPorts(options, handlers),
  } = options;
  const { credentials = new IceCredentialMaker() } = options;
  const generations = new Map<string, { generation: Generation; session: FrontSession }>();
  const addresses = new Map<string, FrontSession>();
  const innerUfrags = new Map<string, FrontSession>();
  const innerPorts = new Map<number, FrontSession>();
  const sessions = new Set<FrontSession>();
  const refusals = new Refusals(credentials, engineNow());
  const failed = (error: Error): void => log.error({ err: error }, 'a media port reported an error');

  /**
   * @param at the earliest time at which it can have come. @returns whether the packet is known to come from a client.
   */
  function fromClient(packet: Buffer, from: Address, at = engineNow()): boolean {
    if (!isStun(packet)) {
      const key = addressKey(from);
      const session = addresses.get(key);
      session?.fromClient(packet, key, at);
      return session !== undefined;
    }
    const request = parseBindingRequest(packet);
    if (request === null) return addresses.get(addressKey(from))?.answered(packet) ?? false;
    const found = generations.get(request.localUfrag);
    if (!found) return isRefused(request, from);
    if (!isAuthentic(request, found.generation.credentials.password)) return false;
    const revoked = found.session.revokes(from, engineNow());
    if (revoked === 'refuse') ports.send(bindingRefusal(request, found.generation.credentials.password), from, 'other');
    if (revoked !== null) return true;
    if (!found.session.checked(found.generation, request, from, at)) return false;
    ports.claim(from);
    ports.send(bindingSuccess(request, from.ip, from.port, found.generation.credentials.password), from, 'other');
    found.session.checkAnswered();
    return true;
  }

  /** A check of a session that is not here. @returns whether its sender was a client of this deployment. */
  function isRefused(request: BindingRequest, from: Address): boolean {
    const refusal = refusals.to(request, engineNow());
    if (refusal !== null) ports.send(refusal, from, 'other');
    return refusal !== null;
  }

  /** A TCP connection was closed, so its client cannot be reached there. */
  function gone(address: Address): void {
    const key = addressKey(address);
    addresses.get(key)?.forget(key);
    addresses.delete(key);
  }

  function fromPeer(datagram: Buffer, from: Address): void {
    if (!isStun(datagram)) return innerPorts.get(from.port)?.fromPeer(datagram, from.port);
    const request = parseBindingRequest(datagram);
    const session = request && innerUfrags.get(request.localUfrag);
    const link = session?.linkOf(request!.localUfrag);
    if (!request || !session || !link || !isAuthentic(request, link.credentials.password)) return;
    session.linkFound(link, from.port);
    inner.send(bindingSuccess(request, from.ip, from.port, link.credentials.password), from);
  }

  const inner = await openUdpSocket({ local: LOOPBACK, port: 0, receive: fromPeer, failed });
  const ports = await openPorts({ packet: fromClient, gone, failed }).catch(async (error: unknown) => {
    await inner.close();
    throw error;
  });

  const sweeping = setInterval(() => {
    const now = engineNow();
    for (const session of sessions) session.checkSilence(now);
    ports.sweep();
  }, SWEEP_MS);

  const tables: FrontTables = {
    timers: systemTimers,
    innerPort: inner.port,
    freshCredentials: () => credentials.make(),
    addGeneration(generation, session) {
      generations.set(generation.credentials.ufrag, { generation, session });
      ports.addUserName(generation.credentials.ufrag);
    },
    removeGeneration({ credentials: { ufrag } }) {
      generations.delete(ufrag);
      ports.removeUserName(ufrag);
    },
    addAddress(key, session) {
      const before = addresses.get(key);
      if (before !== session) before?.forget(key);
      addresses.set(key, session);
    },
    removeAddress(key, session) {
      if (addresses.get(key) !== session) return;
      addresses.delete(key);
      ports.release(key);
    },
    addInner: (ufrag, session) => void innerUfrags.set(ufrag, session),
    removeInner(ufrag, innerPort, session) {
      innerUfrags.delete(ufrag);
      // The port may belong to another session's peer by now.
      if (innerPort !== null && innerPorts.get(innerPort) === session) innerPorts.delete(innerPort);
    },
    addInnerPort: (innerPort, session) => void innerPorts.set(innerPort, session),
    removeSession: (session) => void sessions.delete(session),
    sendOut: ports.send,
    sendIn: (datagram, innerPort) => inner.send(datagram, { ip: LOOPBACK.ip, port: innerPort }),
  };

  return {
    port: ports.port,
    tcpPort: ports.tcpPort,
    reachable: { publicAddresses, ownMachineAddresses },
    get tcpConnections() {
      return ports.tcpConnections;
    },
    openSession(handlers) {
      const session = new FrontSession(tables, handlers);
      sessions.add(session);
      return session;
    },
    peerSends: () => inner.expect(),
    async close() {
      clearInterval(sweeping);
      for (const session of sessions) session.close();
      await Promise.all([inner.close(), ports.close()]);
    },
  };
}
