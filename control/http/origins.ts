import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Of the API document: host names in ASCII, and IPv4 addresses. Other forms that are in use are taken as well. */
const LABEL = '[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*';
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const HOST = `(?:(?:${LABEL}\\.)*[A-Za-z]+|(?:${BYTE}\\.){3}${BYTE})`;
const ORIGIN_PATTERN = `^(?:https?://)?${HOST}(?::(?:[1-5]?[0-9]{1,4}|6[0-4][0-9]{3}))?/?$`;

/** Web sites that may do something, each stored as `scheme://host[:port]`. */
export const originList = z
  .array(z.string().min(1).max(300).meta({ pattern: ORIGIN_PATTERN }))
  .max(100)
  .transform((origins, context) =>
    origins.map((origin, index) => {
      const normalized = normalizeOrigin(origin);
      if (normalized === null)
        context.addIssue({
          code: 'custom',
          message: origin.includes('*')
            ? 'names every site with a sign (*): list each of them, such as https://shop.example.com'
            : 'must be a domain or an origin such as https://example.com',
          path: [index],
        });
      return normalized ?? '';
    }),
  );

/** Pages of `localhost`, of IP addresses and of devices on this network have no certificate. */
const ON_THIS_NETWORK =
  /^(localhost|[\w-]+\.(?:localhost|local|lan|home\.arpa)|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\])(:\d+)?\/?$/i;

/** @returns `scheme://host[:port]`, or null when the text is neither an origin nor a domain. */
function normalizeOrigin(text: string): string | null {
  const scheme = ON_THIS_NETWORK.test(text) ? 'http' : 'https';
  // A sign for any host would match none.
  if (text.includes('*')) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  return url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    url.pathname === '/' &&
    url.search === ''
    ? url.origin
    : null;
}

/**
 * Whether the request comes from a page of this service: its origin has the host that was asked, or that of the address
 * at which clients reach the service. The scheme may differ, because a proxy in front may end TLS; and a proxy may pass
 * on a host without its port.
 * @param serviceUrl that address.
 */
export function isOwnOrigin(origin: string, request: Pick<FastifyRequest, 'host'>, serviceUrl: string): boolean {
  const page = URL.parse(origin);
  if (page === null) return false;
  return [request.host, new URL(serviceUrl).host].some(
    (host) => URL.parse(`${page.protocol}//${host}`)?.host === page.host,
  );
}

/**
 * Tells browsers that this answer is for pages of one site only. Refusals stay readable for all, so that a page can
 * say why it was refused.
 */
export function onlyForOrigin(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}
