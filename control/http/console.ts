import { existsSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { consolePolicy } from './content-policy.ts';
import { serveVisitorPage } from './visitor-page.ts';

/**
 * Serves the built console at `/`, and the page of share links. Without a build `/` says how to make one.
 * @param serviceUrl the address under which a client reaches the service.
 */
export async function serveConsole(
  app: FastifyInstance,
  folder: string,
  serviceUrl: (request: FastifyRequest) => string,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', { schema: { hide: true }, config: { access: 'open' } }, async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send('Parley runs. The console is not built: npm run build:web\nAPI: /docs\n'),
    );
    return;
  }
  serveVisitorPage(app, folder, serviceUrl);
  await app.register(serveStatic, {
    root: folder,
    // Built files have a hash in their names; the page that names them does not.
    decorateReply: false,
    // The build leaves each file compressed beside it.
    preCompressed: true,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('content-security-policy', consolePolicy(serviceUrl(reply.request)));
    },
  });
}
