import type { Socket } from 'node:net';
import type { Address } from '../address.ts';
import type { PublicPorts, PublicPortsHandlers } from '../public-ports.ts';
import { acceptConnections } from '../tcp/tcp-port.ts';
import { localAddresses, type Reachable } from '../local-addresses.ts';
import { openUdpSocket, type UdpSocket } from '../udp-sockets.ts';
import { ClientSockets } from './client-sockets.ts';
import type { FromEngineOfPort, ToEngineOfPort } from './port-messages.ts';

/** The process that has the public ports, as an engine process sees it. */
export interface PortOwner {
  readonly udpPort: number;
  /** Null: none. */
  readonly tcpPort: number | null;
  /** Never throws. */
  tell(message: FromEngineOfPort): void;
  /** @param listener gets all that is told from now on. */
  listen(listener: (message: ToEngineOfPort, socket: Socket | undefined) => void): void;
}

/**
 * The public ports of this machine as one of several processes has them: what comes from its own clients comes here, and
 * all others are somebody else's. @throws Error of the operating system when the port cannot be shared.
 */
export async function openSharedPorts(
  options: Reachable,
  owner: PortOwner,
  handlers: PublicPortsHandlers,
): Promise<PublicPorts> {
  const { failed } = handlers;
  const { udpPort: port, tcpPort } = owner;
  const stray = (packet: Buffer, from: Address): void =>
    owner.tell({ kind: 'port.stray', packet: Buffer.from(packet), from });
  const senders = new Map<string, UdpSocket>();
  try {
    for (const local of localAddresses(options))
      senders.set(local.ip, await openUdpSocket({ local, port, reusePort: true, receive: stray, failed }));
  } catch (error) {
    await Promise.all([...senders.values()].map((socket) => socket.close()));
    throw error;
  }
  const clients = new ClientSockets(port, { packet: handlers.packet, stray, failed });
  const tcp = acceptConnections(handlers);
  owner.listen((message, socket) => {
    if (message.kind === 'port.packet') return void handlers.packet(Buffer.from(message.packet), message.from);
    // It may be closed by now.
    if (socket !== undefined) tcp.accept(socket, Buffer.from(message.read));
  });
  return {
    port,
    tcpPort,
    get tcpConnections() {
      return tcp.connections;
    },
    addUfrag: (ufrag) => owner.tell({ kind: 'port.userName', ufrag }),
    removeUfrag: (ufrag) => owner.tell({ kind: 'port.noUserName', ufrag }),
    claim(address) {
      if (address.protocol === 'udp') clients.open(address);
    },
    release(key) {
      clients.close(key);
      tcp.release(key);
    },
    send(packet, to, kind) {
      // There, it may wait. The memory of what comes by UDP is used again.
      if (to.protocol === 'tcp') tcp.send(Buffer.from(packet), to, kind);
      else senders.get(to.local)?.send(packet, to);
    },
    sweep: () => tcp.sweep(),
    async close() {
      clients.closeAll();
      tcp.close();
      await Promise.all([...senders.values()].map((socket) => socket.close()));
    },
  };
}
