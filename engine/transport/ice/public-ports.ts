import type { Address } from './address.ts';
import type { PacketKind } from './tcp/send-queue.ts';
import { openTcpPort, type TcpPort } from './tcp/tcp-port.ts';
import { localAddresses, type LocalAddress, type Reachable } from './local-addresses.ts';
import { openUdpSocket, type UdpSocket } from './udp-sockets.ts';

export interface PublicPortsHandlers {
  /**
   * A packet came. Its memory is used again afterwards. @param at the earliest time at which it can have come.
   * @returns whether it shows that its sender is a client of a session.
   */
  packet(packet: Buffer, from: Address, at?: number): boolean;
  /** A TCP connection is gone: nothing can be sent to this address any more. */
  gone(address: Address): void;
  failed(error: Error): void;
}

/** Where packets of clients arrive and leave: one UDP port, and perhaps a TCP port. */
export interface PublicPorts {
  readonly port: number;
  /** Null: none. */
  readonly tcpPort: number | null;
  /** Open TCP connections, whoever has opened them. */
  readonly tcpConnections: number;
  /** Checks with this user name are for this process. */
  addUfrag(ufrag: string): void;
  removeUfrag(ufrag: string): void;
  /** A client has proved that this address is its own: all its packets are for this process. */
  claim(address: Address): void;
  /** No session uses the address with this key any more. */
  release(key: string): void;
  send(packet: Buffer, to: Address, kind: PacketKind): void;
  /** Called several times a second. */
  sweep(): void;
  close(): Promise<void>;
}

export type OpenPublicPorts = (handlers: PublicPortsHandlers) => Promise<PublicPorts>;

export interface OwnPortsOptions extends Reachable {
  readonly port: number;
  /** 0: any free port; null: none. Unset: the number of the UDP port, or none if another program has it. */
  readonly tcpPort?: number | null | undefined;
}

/** Ports that no other process has. @throws Error of the operating system when an address or a port cannot be bound. */
export async function openOwnPorts(options: OwnPortsOptions, handlers: PublicPortsHandlers): Promise<PublicPorts> {
  const { failed } = handlers;
  const sockets = new Map<string, UdpSocket>();
  let { port } = options;
  let tcp: TcpPort | null = null;
  try {
    const addresses = localAddresses(options);
    for (const local of addresses) {
      const socket = await openUdpSocket({ local, port, receive: handlers.packet, isMedia: isRtp, failed });
      sockets.set(local.ip, socket);
      port = socket.port;
    }
    tcp = await openTcp(tcpAddresses(addresses), options, handlers);
  } catch (error) {
    await Promise.all([...sockets.values()].map((socket) => socket.close()));
    throw error;
  }
  return {
    port,
    tcpPort: tcp?.port ?? null,
    get tcpConnections() {
      return tcp?.connections ?? 0;
    },
    addUfrag() {},
    removeUfrag() {},
    claim() {},
    release: (key) => tcp?.release(key),
    send(packet, to, kind) {
      // There, it may wait. The memory of what comes by UDP is used again.
      if (to.protocol === 'tcp') tcp?.send(Buffer.from(packet), to, kind);
      else sockets.get(to.local)?.send(packet, to);
    },
    sweep: () => tcp?.sweep(),
    async close() {
      await Promise.all([...sockets.values(), ...(tcp ? [tcp] : [])].map((socket) => socket.close()));
    },
  };
}

async function openTcp(
  ips: readonly string[],
  { tcpPort, port }: OwnPortsOptions,
  handlers: PublicPortsHandlers,
): Promise<TcpPort | null> {
  if (tcpPort === null) return null;
  try {
    return await openTcpPort({ ips, port: tcpPort ?? port, handlers });
  } catch (error) {
    if (tcpPort !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return null;
  }
}

/** A browser of this machine needs no TCP. */
export function tcpAddresses(addresses: readonly LocalAddress[]): string[] {
  return addresses.filter(({ senders }) => senders === null).map(({ ip }) => ip);
}

/** By its first two bytes (RFC 7983, RFC 5761): neither a check, nor DTLS, nor RTCP. */
function isRtp(packet: Buffer): boolean {
  const type = packet[1]! & 0x7f;
  return packet[0]! >= 0x80 && packet[0]! < 0xc0 && (type < 64 || type > 95);
}
