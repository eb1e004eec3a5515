import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientNetwork } from '../../runtime/client-network.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * The address under which a request without a key is counted: the address of its client, for IPv6 the network of its
 * site. Behind a reverse proxy this is the address in `X-Forwarded-For` that the outermost trusted proxy noted. Another
 * node that forwards a request says it.
 */
export function clientAddress(
  request: Pick<FastifyRequest, 'ip'> & Partial<Pick<FastifyRequest, 'forwarded'>>,
): string {
  return request.forwarded?.client?.address ?? clientNetwork(request.ip);
}

/** @returns Fastify's `trustProxy` for the setting. */
export function trustProxyOption(
  proxies: Settings['PARLEY_TRUST_PROXY'],
): boolean | string | ((address: string, hop: number) => boolean) {
  if (proxies === false) return false;
  if ('networks' in proxies) return proxies.networks.join(',');
  // Not `true`, which would trust what the client itself wrote: a proxy only adds to the header that it received.
  return (_address, hop) => hop < proxies.hops;
}

/** Warns once that a proxy in front is not trusted: until it is, all of its clients count as one address. */
export function warnUntrustedProxy(app: FastifyInstance, settings: Settings): void {
  if (settings.PARLEY_TRUST_PROXY !== false) return;
  let noticed = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!noticed && request.headers['x-forwarded-for'] !== undefined) {
      noticed = true;
      request.log.warn(
        'A request carried X-Forwarded-For, which is not believed. Behind a reverse proxy set PARLEY_TRUST_PROXY: otherwise all clients count as one address.',
      );
    }
    done();
  });
}
