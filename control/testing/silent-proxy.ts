import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on this machine that can fall silent, as a firewall does that has forgotten its connections. */
export interface SilentProxy {
  readonly port: number;
  /** From now on nothing passes, and nobody is told. */
  fallSilent(): void;
  /** New connections pass again. Those of before stay silent for good. */
  restore(): void;
  close(): Promise<void>;
}

export async function openSilentProxy(targetPort: number): Promise<SilentProxy> {
  let isSilent = false;
  const passing = new Set<Socket>();
  const all = new Set<Socket>();
  const server = createServer((client) => {
    all.add(client.on('error', () => {}));
    client.on('close', () => all.delete(client));
    if (isSilent) return void client.resume();
    const upstream = connect(targetPort, '127.0.0.1').on('error', () => {});
    all.add(upstream);
    passing.add(client).add(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => passing.has(client) && client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
      for (const socket of passing) socket.unpipe().resume();
      passing.clear();
    },
    restore() {
      isSilent = false;
    },
    async close() {
      for (const socket of all) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
