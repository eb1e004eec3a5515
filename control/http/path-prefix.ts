import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/settings.ts';

/**
 * The service may be reached below a path of a web site (`https://example.com/parley`). A proxy takes that path away
 * before it forwards a request, or leaves it there: both are the same here.
 */

/** @returns the path of the address at which clients reach this service: `/parley`, or nothing. */
export function pathPrefixOf({ PARLEY_PUBLIC_URL: publicUrl }: Pick<Settings, 'PARLEY_PUBLIC_URL'>): string {
  return publicUrl === undefined ? '' : prefixOfUrl(publicUrl);
}

/** @param baseUrl without a query. @returns its path without a slash at the end. */
export function prefixOfUrl(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '');
}

/** @param target of a request: a path with its query. @returns the same without the prefix, if it begins with it. */
export function withoutPrefix(target: string, prefix: string): string {
  const rest = prefix !== '' && target.startsWith(prefix) ? target.slice(prefix.length) : null;
  if (rest === null || !/^[/?]|^$/.test(rest)) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Takes the prefix away from requests for a WebSocket, before anybody else sees them. Fastify's `rewriteUrl` has the others. */
export function stripPrefixFromUpgrades(app: FastifyInstance, prefix: string): void {
  if (prefix === '') return;
  app.server.prependListener('upgrade', (request: IncomingMessage) => {
    request.url = withoutPrefix(request.url ?? '/', prefix);
  });
}

/** The console's addresses are relative to its own, which therefore ends with a slash. */
export function addSlashAfterPrefix(app: FastifyInstance, prefix: string): void {
  if (prefix === '') return;
  app.addHook('onRequest', async (request, reply) => {
    if (request.originalUrl.split('?', 1)[0] === prefix) return reply.redirect(`${prefix}/`, 308);
  });
}
