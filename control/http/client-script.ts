import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** Under the name without a version, a new version comes after five minutes. */
const CURRENT = 'public, max-age=300, stale-while-revalidate=86400';
/** A version never changes. */
const VERSIONED = 'public, max-age=31536000, immutable';

/** Files of the built package, and as what they are served: a script with the global `Parley`, and a module. */
const FILES = ['client.js', 'client.mjs'] as const;

/**
 * Serves the client for browsers, for pages of every site that do not use npm: `/client.js` and `/client.mjs`, and both
 * with the version in their names (`/client-0.1.0.js`). Without a build there is none.
 * @param folder of the package.
 */
export function serveClient(app: FastifyInstance, folder: string): void {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  for (const file of FILES) {
    const path = join(folder, 'dist', file);
    if (!existsSync(path)) continue;
    const content = readFileSync(path, 'utf8');
    // Weak: it is the same for what is compressed.
    const etag = `W/"${hash('sha256', content, 'base64url')}"`;
    let packed: Promise<Buffer> | null = null;
    const addresses = [
      [`/${file}`, CURRENT],
      [`/${file.replace('client.', `client-${version}.`)}`, VERSIONED],
    ] as const;
    for (const [url, caching] of addresses) {
      app.get(url, { schema: { hide: true }, config: { access: 'open' } }, async (request, reply) => {
        reply
          .header('cache-control', caching)
          .header('etag', etag)
          // Also where nothing is sent: caches keep it beside the other headers.
          .header('vary', 'accept-encoding')
          .header('cross-origin-resource-policy', 'cross-origin');
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        reply.type('text/javascript; charset=utf-8');
        if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(content);
        packed ??= promisify(brotliCompress)(content);
        return reply.header('content-encoding', 'br').send(await packed);
      });
    }
  }
}
