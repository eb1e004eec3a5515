import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * What the browser may do with content of this origin. The console keeps an API key in the origin's storage, so any
 * script in any of its pages could take the key. Therefore no foreign script runs, and nothing may be framed.
 */

const NOBODY_FRAMES_IT = ["object-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * For content that is not a page. A browser that is sent to it shows it, with its own player if it is a recording, and
 * runs nothing.
 */
const NO_PAGE = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  "style-src 'unsafe-inline'",
  ...NOBODY_FRAMES_IT,
].join('; ');

/**
 * For the console. Images, recordings and the signaling come from the address at which clients reach this service,
 * which may differ from that of the page (`PARLEY_PUBLIC_URL`).
 * @param serviceUrl that address.
 */
export function consolePolicy(serviceUrl: string): string {
  const { host } = new URL(serviceUrl);
  // A policy cannot name an IPv6 address; browsers ignore what they cannot read, and report it.
  const named = !host.startsWith('[');
  const service = named ? `'self' http://${host} https://${host}` : "'self'";
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${service} data: blob:`,
    `media-src ${service} blob:`,
    named ? `connect-src ${service} ws://${host} wss://${host}` : `connect-src ${service}`,
    ...NOBODY_FRAMES_IT,
  ].join('; ');
}

/**
 * For a third-party page with its own script: only this script and those of the same origin run, and entered data goes
 * nowhere else.
 */
export function foreignPagePolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/gi)].map(
    ([, script]) => `'sha256-${hash('sha256', script!, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // The page's script sets its styles element by element.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    'worker-src blob:',
    ...NOBODY_FRAMES_IT,
  ].join('; ');
}

/** Gives the strictest policy to every answer that has no policy of its own. */
export function limitContent(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NO_PAGE);
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    done(null, payload);
  });
}
