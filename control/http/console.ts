import { existsSync } from 'node:fs';
import { join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * The console keeps an API key, so nothing foreign may run in it or frame it. Pictures, recordings and the engine may be
 * at another address (`PARLEY_PUBLIC_URL`).
 */
const CONTENT_POLICY = [
  "default-src 'self'", "script-src 'self'", "style-src 'self'", 'img-src http: https: data: blob:', 'media-src http: https: blob:', 'connect-src http: https: ws: wss:',
  "object-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

/** Serves the built console at `/`. Without a build `/` says how to make one. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', { schema: { hide: true }, config: { access: 'open' } }, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('Parley runs. The console is not built: npm run build:web\nAPI: /docs\n'));
    return;
  }
  await app.register(serveStatic, {
    root: folder,
    // Built files carry a hash in their names; the page that names them does not.
    decorateReply: false,
    setHeaders(reply, path) {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('content-security-policy', CONTENT_POLICY);
      reply.header('x-content-type-options', 'nosniff');
      reply.header('referrer-policy', 'no-referrer');
    },
  });
}
