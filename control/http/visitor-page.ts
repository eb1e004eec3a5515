import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors.ts';
import { consolePolicy } from './content-policy.ts';

/** As `visitor-routes.ts` of share links reads it. */
const LINK_TOKEN = /^[\w-]{8,128}$/;
/** Where the page names the link. */
const TOKEN_MARK = 'SHARE_LINK_TOKEN';

/**
 * The page of a share link, at `/s/{token}`: the widget in full size. It is the same for every link; the widget asks
 * whom it leads to.
 * @param folder of the built console. @param serviceUrl the address under which a client reaches the service.
 */
export function serveVisitorPage(
  app: FastifyInstance,
  folder: string,
  serviceUrl: (request: FastifyRequest) => string,
): void {
  app.get('/s/:token', { schema: { hide: true }, config: { access: 'open' } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    if (!LINK_TOKEN.test(token)) throw new HttpError('notFound');
    const page = await readFile(join(folder, 'share.html'), 'utf8');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', consolePolicy(serviceUrl(request)))
      .send(page.replace(TOKEN_MARK, token));
  });
}

/** Pages of other sites load the widget's script, under a name that stays: they ask again after five minutes. */
export function forEverySite(reply: { header(name: string, value: string): unknown }): void {
  reply.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
  reply.header('cross-origin-resource-policy', 'cross-origin');
}
