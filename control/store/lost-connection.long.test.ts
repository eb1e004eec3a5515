import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { openStore, type Store } from './open.ts';

/** PostgreSQL is restarted, or an administrator ends a connection. No resulting exception may end the process. */
describe.skipIf(postgresPrograms() === null)('a connection that PostgreSQL ends', () => {
  let server: TestPostgres;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    store = await openStore({ dataDir: '', databaseUrl: await server.createDatabase() });
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it('between two statements of a transaction fails that transaction alone', async () => {
    const transaction = store.db.transaction().execute(async (own) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own);
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(store.db);
      await sql`select 1`.execute(own);
    });
    await expect(transaction).rejects.toThrow();
    await store.ping();
  });
});
