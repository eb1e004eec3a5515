import type { Logger } from '../../log.ts';
import { engineNow } from '../../clock.ts';
import { bindAddresses, openUdpSocket, type UdpSocket } from './udp-sockets.ts';
import { addressKey, type Address, type Generation } from './public-path.ts';
import { bindingSuccess, isAuthentic, isStun, parseBindingRequest } from './stun.ts';
import { FrontSession, type FrontSessionHandlers, type FrontTables } from './front-session.ts';

/** How often the front checks sessions for silence: a fraction of the limit. */
const SILENCE_CHECK_MS = 250;
const LOOPBACK = '127.0.0.1';

export interface IceFront {
  /** The public UDP port. */
  readonly port: number;
  readonly publicAddresses: readonly string[];
  openSession(handlers: FrontSessionHandlers): FrontSession;
  close(): Promise<void>;
}

/**
 * The public end of all media: an ICE-lite agent (RFC 8445) on one UDP port. It answers authenticated checks, and
 * carries everything else between a client's addresses and the loopback port of the client's WebRTC peer. So ICE can be
 * restarted, and even the peer replaced, and the other side does not notice. A sender that does not know a session's
 * password gets no answer, so the port cannot be used to amplify traffic.
 */
export async function openIceFront(options: {
  publicAddresses: readonly string[];
  bindAddress?: string | undefined;
  port: number;
  log: Logger;
}): Promise<IceFront> {
  const { log, publicAddresses } = options;
  const generations = new Map<string, { generation: Generation; session: FrontSession }>();
  const addresses = new Map<string, FrontSession>();
  const innerUfrags = new Map<string, FrontSession>();
  const innerPorts = new Map<number, FrontSession>();
  const sessions = new Set<FrontSession>();
  const outer = new Map<4 | 6, UdpSocket>();
  const failed = (error: Error): void => log.error({ err: error }, 'the UDP port reported an error');

  function fromClient(datagram: Buffer, from: Address): void {
    if (!isStun(datagram)) {
      const key = addressKey(from);
      return addresses.get(key)?.fromClient(datagram, key, engineNow());
    }
    const request = parseBindingRequest(datagram);
    const found = request && generations.get(request.localUfrag);
    if (!request || !found || !isAuthentic(request, found.generation.credentials.password)) return;
    if (!found.session.checked(found.generation, request, from, engineNow())) return;
    sendOut(bindingSuccess(request, from.ip, from.port, found.generation.credentials.password), from);
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

  function sendOut(datagram: Buffer, to: Address): void {
    outer.get(to.family)?.send(datagram, to);
  }

  const inner = await openUdpSocket({ ip: LOOPBACK, port: 0, receive: fromPeer, failed });
  let port = options.port;
  try {
    for (const ip of bindAddresses(publicAddresses, options.bindAddress)) {
      const socket = await openUdpSocket({ ip, port, receive: fromClient, failed });
      outer.set(ip.includes(':') ? 6 : 4, socket);
      port = socket.port;
    }
  } catch (error) {
    await Promise.all([inner, ...outer.values()].map((socket) => socket.close()));
    throw error;
  }

  const silence = setInterval(() => {
    const now = engineNow();
    for (const session of sessions) session.checkSilence(now);
  }, SILENCE_CHECK_MS);

  const tables: FrontTables = {
    innerPort: inner.port,
    addGeneration: (generation, session) => void generations.set(generation.credentials.ufrag, { generation, session }),
    removeGeneration: (generation) => void generations.delete(generation.credentials.ufrag),
    addAddress(key, session) {
      const before = addresses.get(key);
      if (before !== session) before?.forget(key);
      addresses.set(key, session);
    },
    removeAddress(key, session) {
      if (addresses.get(key) === session) addresses.delete(key);
    },
    addInner: (ufrag, session) => void innerUfrags.set(ufrag, session),
    removeInner(ufrag, innerPort, session) {
      innerUfrags.delete(ufrag);
      // The port may belong to another session's peer by now.
      if (innerPort !== null && innerPorts.get(innerPort) === session) innerPorts.delete(innerPort);
    },
    addInnerPort: (innerPort, session) => void innerPorts.set(innerPort, session),
    removeSession: (session) => void sessions.delete(session),
    sendOut,
    sendIn: (datagram, innerPort) => inner.send(datagram, { ip: LOOPBACK, port: innerPort }),
  };

  return {
    port,
    publicAddresses,
    openSession(handlers) {
      const session = new FrontSession(tables, handlers);
      sessions.add(session);
      return session;
    },
    async close() {
      clearInterval(silence);
      for (const session of sessions) session.close();
      await Promise.all([inner, ...outer.values()].map((socket) => socket.close()));
    },
  };
}
