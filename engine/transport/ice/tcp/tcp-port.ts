import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { clientNetwork } from '../../../../runtime/client-network.ts';
import { systemTimers } from '../../../../runtime/clock.ts';
import { addressKey, type Address } from '../address.ts';
import type { PacketKind } from './send-queue.ts';
import { UnverifiedConnections } from './unverified-connections.ts';
import { TcpConnection } from './tcp-connection.ts';

export interface TcpPortHandlers {
  /** @returns whether the packet shows that its sender is a client of a session. */
  packet(packet: Buffer, from: Address): boolean;
  /** The connection is gone: nothing can be sent to this address any more. */
  gone(address: Address): void;
  failed(error: Error): void;
}

/** The front's port for clients whose networks block UDP: passive ICE-TCP (RFC 6544). */
export interface TcpPort {
  readonly port: number;
  /** Open connections. */
  readonly connections: number;
  send(packet: Buffer, to: Address, kind: PacketKind): void;
  /** A session does not need the address any more. Nothing happens if no such connection is open. */
  release(key: string): void;
  /** Called several times a second. */
  sweep(): void;
  close(): Promise<void>;
}

/** The connections of clients, whoever listens for them. */
export interface TcpConnections {
  readonly connections: number;
  /** @param read what has been read from it before. */
  accept(socket: Socket, read?: Buffer): void;
  send(packet: Buffer, to: Address, kind: PacketKind): void;
  release(key: string): void;
  sweep(): void;
  close(): void;
}

export function acceptConnections(handlers: TcpPortHandlers): TcpConnections {
  const connections = new Map<string, TcpConnection>();
  const unverified = new UnverifiedConnections<TcpConnection>();

  function accept(socket: Socket, read?: Buffer): void {
    const { remoteAddress: ip, remotePort: port, localAddress: local } = socket;
    // It was closed before it was accepted.
    if (ip === undefined || port === undefined || local === undefined) return void socket.destroy();
    const address: Address = { protocol: 'tcp', ip, port, family: isIPv6(ip) ? 6 : 4, local };
    const key = addressKey(address);
    if (read !== undefined && read.length > 0) socket.unshift(read);
    const connection: TcpConnection = new TcpConnection(
      socket,
      {
        packet: (packet) => received(packet, address),
        proven: () => unverified.remove(connection),
        closed: () => {
          unverified.remove(connection);
          connections.delete(key);
          handlers.gone(address);
        },
      },
      systemTimers,
    );
    connections.set(key, connection);
    unverified.add(connection, clientNetwork(ip))?.destroy();
  }

  function received(packet: Buffer, from: Address): boolean {
    try {
      return handlers.packet(packet, from);
    } catch (error) {
      handlers.failed(error as Error);
      return false;
    }
  }

  return {
    get connections() {
      return connections.size;
    },
    accept(socket, read) {
      try {
        accept(socket, read);
      } catch (error) {
        socket.destroy();
        handlers.failed(error as Error);
      }
    },
    send: (packet, to, kind) => connections.get(addressKey(to))?.send(packet, kind),
    release: (key) => connections.get(key)?.close(),
    sweep() {
      for (const connection of connections.values()) connection.sweep();
    },
    close() {
      for (const connection of connections.values()) connection.destroy();
    },
  };
}

/**
 * Listens on one port of several local addresses. @param options `port`: 0 for any free one.
 * @throws Error of the operating system when an address or the port cannot be bound.
 */
export async function listenForTcp(options: {
  ips: readonly string[];
  port: number;
  accept: (socket: Socket) => void;
  failed: (error: Error) => void;
}): Promise<{ readonly port: number; close(): Promise<void> }> {
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  };

  async function listen(ip: string, port: number): Promise<number> {
    // Packets are not held back to fill a segment: each is already late when the network is slow.
    const server = createServer({ noDelay: true });
    server.on('connection', options.accept);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: ip, port, ipv6Only: isIPv6(ip) }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', options.failed);
    servers.push(server);
    return (server.address() as { port: number }).port;
  }

  let { port } = options;
  try {
    for (const ip of options.ips) port = await listen(ip, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

/**
 * @param options `ips`: local addresses. `port`: 0 for any free one.
 * @throws Error of the operating system when an address or the port cannot be bound.
 */
export async function openTcpPort(options: {
  ips: readonly string[];
  port: number;
  handlers: TcpPortHandlers;
}): Promise<TcpPort> {
  const tcp = acceptConnections(options.handlers);
  const { ips, port, handlers } = options;
  const listening = await listenForTcp({ ips, port, accept: tcp.accept, failed: handlers.failed });
  return {
    port: listening.port,
    get connections() {
      return tcp.connections;
    },
    send: tcp.send,
    release: tcp.release,
    sweep: tcp.sweep,
    async close() {
      tcp.close();
      await listening.close();
    },
  };
}
