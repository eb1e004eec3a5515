import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { openTcpClient, type TcpClient } from './tcp-client.ts';

export interface TcpRelay {
  /** An answer that leads through this relay. */
  route(answer: string): string;
  /** The connections to the front, in the order in which they were opened. */
  readonly connections: readonly TcpClient[];
  close(): void;
}

/**
 * Carries what clients without ICE-TCP send by UDP over one TCP connection a client. So such a client reaches the front
 * as a browser does whose network blocks UDP.
 */
export async function openTcpRelay(frontPort: number): Promise<TcpRelay> {
  const outside = createSocket('udp4');
  const connections: TcpClient[] = [];
  const byClient = new Map<number, Promise<TcpClient>>();
  await new Promise<void>((resolve) => outside.bind(0, '127.0.0.1', resolve));
  const { port } = outside.address() as AddressInfo;

  async function connectionOf(clientPort: number): Promise<TcpClient> {
    const client = await openTcpClient(frontPort);
    connections.push(client);
    client.onPacket = (packet) => outside.send(packet, clientPort, '127.0.0.1');
    return client;
  }

  outside.on('message', (packet, from) => {
    let connection = byClient.get(from.port);
    if (connection === undefined) byClient.set(from.port, (connection = connectionOf(from.port)));
    // Refused while the front closes.
    connection.then(
      (client) => client.send(packet),
      () => byClient.delete(from.port),
    );
  });

  return {
    connections,
    route: (answer) =>
      answer
        .replace(/^a=candidate:\d+ 1 tcp .*\r\n/gm, '')
        .replace(/^(a=candidate:\d+ 1 udp \d+ 127\.0\.0\.1) \d+ /gm, `$1 ${port} `),
    close() {
      outside.close();
      for (const { socket } of connections) socket.destroy();
    },
  };
}
