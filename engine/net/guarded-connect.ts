import { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { plainHostname, type PrivateHosts } from './private-hosts.ts';
import { notPublic, publicLookup } from './public-lookup.ts';

/** Somebody waits for the page behind it. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A TCP connection that is made only to a public address, or to one of the exceptions. The address is checked in the
 * step that connects to it.
 * @throws PublicUrlError when the host is not public, else the error of the network.
 */
export function guardedConnect(
  hostname: string,
  port: number,
  allowed: PrivateHosts,
  resolve: typeof systemLookup = systemLookup,
): Promise<Socket> {
  const host = plainHostname(hostname);
  const isException = allowed.allows(host, port);
  // A literal address is never looked up, so the lookup cannot refuse it.
  if (!isException && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(notPublic());
  const { promise, resolve: connected, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port, ...(!isException && { lookup: publicLookup(resolve) }) });
  socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('The host does not answer.')));
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.setTimeout(0);
    socket.removeListener('error', reject);
    connected(socket);
  });
  return promise;
}
