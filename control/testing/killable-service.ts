import { readSettings } from '../settings.ts';
import { keepHouse } from '../housekeeping.ts';
import { openStore } from '../store/open.ts';
import { startTestService } from './service.ts';

/**
 * A service in a process of its own, to be killed: `node killable-service.ts DATA_DIR [DATABASE_URL]`. Prints its
 * address.
 */
const [dataDir, databaseUrl] = process.argv.slice(2);
const store = await openStore({ dataDir: dataDir!, databaseUrl });
const service = await startTestService(store, { dataDir: dataDir! });
await keepHouse({
  settings: readSettings({ PARLEY_DATA_DIR: dataDir! }),
  store,
  blobs: service.blobs,
  knowledge: service.knowledge,
  log: service.app.log as never,
  now: Date.now,
});
const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ url, key: service.key })}\n`);
