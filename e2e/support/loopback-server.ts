import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  readonly port: number;
  /** Also ends requests that nobody has answered. */
  close(): Promise<void>;
}

/** An HTTP server of a test, on a free port of `address`. @param address of this machine, for services in other networks. */
export async function serveOnLoopback(answer: RequestListener, address = '127.0.0.1'): Promise<LoopbackServer> {
  const server = createServer(answer).listen(0, address);
  await new Promise((listening) => server.once('listening', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
