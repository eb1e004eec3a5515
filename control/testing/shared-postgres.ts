import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from './postgres.ts';

/** Set during a run of the tests: the server that its files share. */
const SERVER = 'TEST_POSTGRES';

/**
 * Forty files test on PostgreSQL, and a server of its own takes each of them a second. What they write is apart: each
 * test makes databases of its own. @returns a function that stops the server.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (postgresPrograms() === null) return async () => {};
  const server = await startPostgres();
  process.env[SERVER] = server.url;
  return () => server.stop();
}

/** @returns the server of this run of the tests; outside of one, a server of one's own. */
export async function openSharedPostgres(): Promise<TestPostgres> {
  const url = process.env[SERVER];
  if (url === undefined) return startPostgres();
  return { url, createDatabase: () => createDatabase(url), stop: async () => {} };
}
