import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** What the network does to one datagram. */
export type Fate = 'pass' | 'drop' | { readonly delayMs: number };

export interface UdpRelay {
  readonly port: number;
  /** Decides over each datagram from now on. */
  setFate(fate: (direction: 'to-server' | 'to-client', datagram: Buffer) => Fate): void;
  /** Sends a datagram of the test, as if it came from the client that was heard last. */
  sendToServer(datagram: Buffer): void;
  /** An answer whose only candidate leads through this relay. */
  route(answer: string): string;
  close(): void;
}

/**
 * A network between a client and the transport's port on the loopback interface, for tests that cut it or lose packets.
 */
export async function openUdpRelay(serverPort: number): Promise<UdpRelay> {
  const outside = createSocket('udp4');
  /** One socket per client address, so that the server sees them apart. */
  const inside = new Map<number, Socket>();
  let stage: 'open' | 'closed' = 'open';
  let fate: (direction: 'to-server' | 'to-client', datagram: Buffer) => Fate = () => 'pass';
  await new Promise<void>((resolve) => outside.bind(0, '127.0.0.1', resolve));
  const { port } = outside.address() as AddressInfo;

  function meet(what: Fate, send: () => void): void {
    if (what === 'pass') send();
    else if (what !== 'drop') setTimeout(send, what.delayMs);
  }

  function insideFor(clientPort: number): Socket {
    let socket = inside.get(clientPort);
    if (!socket) {
      socket = createSocket('udp4');
      socket.on('message', (datagram) => {
        meet(fate('to-client', datagram), () => stage === 'open' && outside.send(datagram, clientPort, '127.0.0.1'));
      });
      inside.set(clientPort, socket);
    }
    return socket;
  }
  let lastHeard: Socket | null = null;
  outside.on('message', (datagram, from) => {
    lastHeard = insideFor(from.port);
    const socket = lastHeard;
    meet(fate('to-server', datagram), () => stage === 'open' && socket.send(datagram, serverPort, '127.0.0.1'));
  });

  return {
    port,
    setFate(next) {
      fate = next;
    },
    sendToServer(datagram) {
      if (stage === 'open') lastHeard?.send(datagram, serverPort, '127.0.0.1');
    },
    route: (answer) =>
      answer
        .replace(/^a=candidate:\d+ 1 tcp .*\r\n/gm, '')
        .replaceAll(`127.0.0.1 ${serverPort} typ host`, `127.0.0.1 ${port} typ host`),
    close() {
      stage = 'closed';
      outside.close();
      for (const socket of inside.values()) socket.close();
    },
  };
}
