import { createApiKey, organizationNamed } from '../../control/access/api-keys.ts';
import { SCOPES } from '../../control/api/scopes.ts';
import { openStore } from '../../control/store/open.ts';
import { serveOnLoopback } from './loopback-server.ts';
import { startService } from './service.ts';
import { SHARED_SERVICE, type Place } from './shared-service.ts';

const FOR_ALL = {
  // Several files at a time, and the page of a link may be reloaded: a session waits for 20 s after a visitor has
  // closed it.
  PARLEY_MAX_SESSIONS: '100',
  PARLEY_MAX_SESSIONS_PER_ADDRESS: '100',
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '10000',
  // Their own servers: tools, LLMs and models that take the turns.
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
};

interface OpenService {
  /** For one file of tests: an organization of its own. */
  place(): Promise<Place>;
  output(): string;
  close(): Promise<void>;
}

/**
 * Runs once for all files. Starts one service for all files that need no special settings, when the first of them asks
 * for it: a start takes three seconds of a core. Each file has an organization of its own, which sees nothing of the
 * others.
 * @returns a function that stops it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let opened: Promise<OpenService> | null = null;
  const { port, close } = await serveOnLoopback((request, response) => {
    opened ??= open();
    opened
      .then(async (service) => (request.url === '/output' ? service.output() : service.place()))
      .then(
        (answer) => response.end(JSON.stringify(answer)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  process.env[SHARED_SERVICE] = `http://127.0.0.1:${port}`;
  return async () => {
    await opened?.then(
      (service) => service.close(),
      () => {},
    );
    await close();
  };
}

async function open(): Promise<OpenService> {
  const service = await startService({ env: FOR_ALL });
  const store = await openStore({ dataDir: service.dataDir });
  let places = 0;
  return {
    async place() {
      const now = Date.now();
      const name = `file ${(places += 1)}`;
      const organizationId = await organizationNamed(store, name, now);
      const { key } = await createApiKey(store, { organizationId, name, scopes: SCOPES, now });
      return { url: service.url, apiKey: key };
    },
    output: () => service.output(),
    async close() {
      await store.close();
      await service.stop();
    },
  };
}
