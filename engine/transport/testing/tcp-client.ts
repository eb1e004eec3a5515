import { connect, type Socket } from 'node:net';
import { framed, FrameReader } from '../ice/tcp/packet-framing.ts';

export interface TcpClient {
  readonly socket: Socket;
  /** What it was sent, packet by packet, until somebody wants each at once. */
  readonly packets: readonly Buffer[];
  onPacket: ((packet: Buffer) => void) | null;
  send(packet: Buffer): void;
  /** Resolves when the other end has closed the connection, in whichever way. */
  readonly closed: Promise<void>;
}

/** A client's connection to the front's TCP port, for tests. @param from the local address. */
export async function openTcpClient(port: number, from = '127.0.0.1'): Promise<TcpClient> {
  const packets: Buffer[] = [];
  const reader = new FrameReader();
  const socket = connect({ host: '127.0.0.1', port, localAddress: from, noDelay: true });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // A reset is one way to be closed.
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    for (const packet of reader.read(bytes) ?? []) {
      if (client.onPacket === null) packets.push(packet);
      else client.onPacket(packet);
    }
  });
  const client: TcpClient = {
    socket,
    packets,
    onPacket: null,
    closed,
    send: (packet) => void socket.write(framed(packet)),
  };
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return client;
}
