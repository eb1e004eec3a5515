import { existsSync, readdirSync } from 'node:fs';
import serveStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How each kind of package is installed, with the name that it has there. */
const KINDS = [
  { file: /^parley-client\.tgz$/, name: '@parley/client', command: 'npm install' },
  { file: /^parley-react\.tgz$/, name: '@parley/react', command: 'npm install' },
  { file: /^parley_client-.*\.whl$/, name: 'parley-client', command: 'pip install' },
] as const;

/**
 * Serves the packages of the clients, for npm and pip, below `/clients/`, so that a program has the client that fits the
 * service. `/clients` lists them, with what a shell is told. Without a build there are none.
 * @param folder of the packages. @param serviceUrl the address under which a client reaches the service.
 */
export async function serveClientPackages(
  app: FastifyInstance,
  folder: string,
  serviceUrl: (request: FastifyRequest) => string,
): Promise<void> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  app.get('/clients', { schema: { hide: true }, config: { access: 'open' } }, async (request) => {
    const url = (file: string): string => `${serviceUrl(request)}/clients/${file}`;
    const packages = KINDS.flatMap(({ file, name, command }) => {
      const found = files.find((one) => file.test(one));
      if (found === undefined) return [];
      // The components stand on the client, which npm would look for elsewhere.
      const needed = name === '@parley/react' ? [url('parley-client.tgz')] : [];
      return [{ name, url: url(found), install: [command, ...needed, url(found)].join(' ') }];
    });
    return { packages };
  });
  if (files.length === 0) return;
  await app.register(serveStatic, {
    root: folder,
    prefix: '/clients/',
    decorateReply: false,
    index: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  });
}
