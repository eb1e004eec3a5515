import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { StartError } from '../../engine/index.ts';

/**
 * The address to listen on. A name is looked up once, because media needs the address itself.
 * @param host of `PARLEY_HOST`. @throws StartError when nobody knows the name.
 */
export async function listenAddress(host: string): Promise<string> {
  // The HTTP server listens on both kinds of loopback address when it gets this name.
  if (host === 'localhost' || isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new StartError(
      `PARLEY_HOST: this machine does not know the name ${host}. Use one of its addresses, or 0.0.0.0 for all of them.`,
      { cause: error },
    );
  }
}
