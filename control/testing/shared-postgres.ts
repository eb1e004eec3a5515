import { openStore } from '../store/open.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from './postgres.ts';

/** Set during a run of the tests: the server that its files share. */
const SERVER = 'TEST_POSTGRES';
/** Also set: the name of its database that has the newest schema and no rows. */
const MIGRATED = 'TEST_POSTGRES_MIGRATED';

export interface SharedPostgres extends TestPostgres {
  /** Makes a database with the newest schema, by copying one: a third of the work of all migrations. Returns its URL. */
  createMigrated(): Promise<string>;
}

/**
 * Forty files test on PostgreSQL, and a server of its own takes each of them a second. What they write is apart: each
 * test makes databases of its own. @returns a function that stops the server.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (postgresPrograms() === null) return async () => {};
  const server = await startPostgres();
  process.env[SERVER] = server.url;
  process.env[MIGRATED] = await migrate(await server.createDatabase());
  return () => server.stop();
}

/** @returns its name. */
async function migrate(databaseUrl: string): Promise<string> {
  const store = await openStore({ dataDir: '', databaseUrl });
  await store.close();
  return new URL(databaseUrl).pathname.slice(1);
}

/** @returns the server of this run of the tests; outside of one, a server of one's own. */
export async function openSharedPostgres(): Promise<SharedPostgres> {
  const url = process.env[SERVER];
  if (url === undefined) {
    const own = await startPostgres();
    return { ...own, createMigrated: () => own.createDatabase() };
  }
  return {
    url,
    createDatabase: () => createDatabase(url),
    createMigrated: () => createDatabase(url, process.env[MIGRATED]),
    stop: async () => {},
  };
}
