import type { Server } from 'node:http';

/**
 * @param server listens. @param host address that the operator chose.
 * @returns where this machine reaches the server, without a trailing slash.
 */
export function localUrl(server: Server, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen');
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${address.port}`;
}
