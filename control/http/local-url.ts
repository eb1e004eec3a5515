import type { Server } from 'node:http';

/**
 * @param server listens. @param host address that the operator chose.
 * @returns where this machine reaches the server, without a trailing slash.
 */
export function localUrl(server: Server, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen');
  return reachedAt(host, address.port);
}

/** @returns where this machine reaches a server that listens on this address, or on all. */
export function reachedAt(host: string, port: number | string): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
