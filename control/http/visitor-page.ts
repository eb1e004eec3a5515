import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import { consolePolicy } from './content-policy.ts';
import { prefixOfUrl } from './path-prefix.ts';

/** As `visitor-routes.ts` of share links reads it. */
const LINK_TOKEN = /^[\w-]{8,128}$/;
/** Where the page names the link. */
const TOKEN_MARK = 'SHARE_LINK_TOKEN';
/** Where the page names the path of the service, which stands before all of its addresses. */
const PATH_MARK = 'SERVICE_PATH';

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
    const address = serviceUrl(request);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', consolePolicy(address))
      .send(page.replaceAll(PATH_MARK, prefixOfUrl(address)).replace(TOKEN_MARK, token));
  });
}

/**
 * Serves the widget at `/widget.js`, for pages of every site. The name stays the same, so browsers ask again after five
 * minutes.
 * @param folder of the built widget.
 */
export async function serveWidget(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await app.register(serveStatic, {
    root: folder,
    // Its files alone: the console has the rest of the addresses.
    wildcard: false,
    decorateReply: false,
    // The build leaves it compressed beside it.
    preCompressed: true,
    setHeaders(reply) {
      reply.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
      reply.header('cross-origin-resource-policy', 'cross-origin');
    },
  });
}
