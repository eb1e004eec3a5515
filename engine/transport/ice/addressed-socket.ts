import { createSocket, type Socket } from 'node:dgram';

/**
 * A UDP socket that is not bound yet. Every destination is already an IP address: without this, Node would look it up for
 * each packet. The look-up is answered at once.
 * @param options.reusePort other processes of this user may bind the port, too. @defaultValue false
 */
export function addressedSocket(family: 4 | 6, { reusePort = false }: { readonly reusePort?: boolean } = {}): Socket {
  return createSocket({
    type: family === 4 ? 'udp4' : 'udp6',
    ipv6Only: family === 6,
    reusePort,
    lookup: (hostname, _options, done) => done(null, hostname, family),
  });
}

/** @throws Error of the operating system when the address or the port cannot be bound. */
export function bound(socket: Socket, port: number, ip: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, ip, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}
