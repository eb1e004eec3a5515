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
    origins.map((written, index) => {
      const { origin, problem } = readOrigin(written.trim());
      if (problem !== null) context.addIssue({ code: 'custom', message: problem, path: [index] });
      return origin ?? '';
    }),
  );

/** Pages of `localhost`, of IP addresses and of devices and machines on this network have no certificate. */
const ON_THIS_NETWORK =
  /^(?:[\w-]+|(?:[\w-]+\.)+(?:localhost|local|lan|home\.arpa|internal|test)|\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]+\])(?::\d+)?\/?$/i;

/** Pages of apps and of browser extensions: Capacitor, Ionic, Tauri, Electron. They have a host, too. */
const OF_APPS = /^(?:capacitor|ionic|tauri|app|(?:chrome|moz|safari-web)-extension):$/;

type ReadOrigin =
  | { readonly origin: string; readonly problem: null }
  | { readonly origin: null; readonly problem: string };

function readOrigin(text: string): ReadOrigin {
  const refuse = (problem: string): ReadOrigin => ({ origin: null, problem });
  // A sign for any host would match none.
  if (text.includes('*'))
    return refuse('names every site with a sign (*): list each of them, such as https://shop.example.com');
  if (text === 'null')
    return refuse(
      'is what files and sandboxed frames have in place of an origin: serve the page, such as from localhost',
    );
  const scheme = ON_THIS_NETWORK.test(text) ? 'http' : 'https';
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  const isOfApp = url !== null && OF_APPS.test(url.protocol);
  if (url === null || url.hostname === '' || !(isOfApp || /^https?:$/.test(url.protocol)))
    return refuse('must be a domain or an origin such as https://example.com');
  if (isOfApp) return { origin: `${url.protocol}//${url.host}`, problem: null };
  if (url.pathname !== '/' || url.search !== '') return refuse(`must be an origin without a path: ${url.origin}`);
  return { origin: url.origin, problem: null };
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
