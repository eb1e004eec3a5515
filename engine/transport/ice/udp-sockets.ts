import { createSocket, type Socket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import type { Address } from './public-path.ts';

/** Room for about 30 ms of packets of 100 sessions while the event loop is busy. The kernel may grant less. */
const BUFFER_BYTES = 4 * 1024 * 1024;

export type DatagramHandler = (datagram: Buffer, from: Address) => void;

/** One UDP socket of one family that never throws and never resolves names. */
export interface UdpSocket {
  readonly port: number;
  send(datagram: Buffer, to: Pick<Address, 'ip' | 'port'>): void;
  close(): Promise<void>;
}

/** @throws Error of the operating system when the address or port cannot be bound. */
export async function openUdpSocket(options: {
  ip: string;
  port: number;
  receive: DatagramHandler;
  failed: (error: Error) => void;
}): Promise<UdpSocket> {
  const family = isIPv4(options.ip) ? 4 : 6;
  const socket: Socket = createSocket({
    type: family === 4 ? 'udp4' : 'udp6',
    ipv6Only: family === 6,
    // Every destination is already an IP address. Without this, Node would look it up for each packet.
    lookup: (hostname, _options, done) => done(null, hostname, family),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, options.ip, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', options.failed);
  socket.on('message', (datagram, from) => {
    try {
      options.receive(datagram, { protocol: 'udp', ip: from.address, port: from.port, family });
    } catch (error) {
      options.failed(error as Error);
    }
  });
  try {
    socket.setRecvBufferSize(BUFFER_BYTES);
    socket.setSendBufferSize(BUFFER_BYTES);
  } catch {
    // If the system refuses larger buffers, the socket works with the system's own size.
  }
  let stage: 'open' | 'closed' = 'open';
  return {
    port: socket.address().port,
    // Errors of single packets (no route to a network that went away) are normal in networks. Without a callback, Node
    // drops them, and a packet costs a third less.
    send(datagram, to) {
      if (stage === 'open') socket.send(datagram, to.port, to.ip);
    },
    close() {
      stage = 'closed';
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

/**
 * Which local addresses to bind for the addresses that clients are told: one for each family.
 * @throws Error when a public address is not an IP address or has no family in common with `bind`.
 */
export function bindAddresses(publicAddresses: readonly string[], bind: string | undefined): string[] {
  if (publicAddresses.length === 0) throw new Error('The transport needs at least one public IP address.');
  const wildcard = bind === undefined || bind === '::';
  const families = new Set<4 | 6>();
  for (const address of publicAddresses) {
    if (isIPv4(address)) families.add(4);
    else if (isIPv6(address)) families.add(6);
    else throw new Error(`The public address "${address}" is not an IP address.`);
  }
  if (wildcard) return [...families].map((family) => (family === 4 ? '0.0.0.0' : '::'));
  const family = isIPv4(bind) ? 4 : isIPv6(bind) ? 6 : null;
  if (family === null) throw new Error(`The bind address "${bind}" is not an IP address.`);
  if (!families.has(family) || families.size > 1)
    throw new Error(`The bind address ${bind} does not serve all public addresses (${publicAddresses.join(', ')}).`);
  return [bind];
}
