import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnPostgres, postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { startTestService } from '../testing/service.ts';
import { openStore, type Store } from './open.ts';
import { isDatabaseUnavailable } from './storage-errors.ts';

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

/** It was answered with 500, as a fault of Parley, and every request left a stack in the log. */
describe.skipIf(postgresPrograms() === null)('while PostgreSQL is stopped', () => {
  it('requests are answered with 503, and logged in one line without a stack', async () => {
    const server: OwnPostgres = await startPostgres();
    const service = await startTestService(
      await openStore({ dataDir: '', databaseUrl: await server.createDatabase() }),
    );
    // So it is if the host of the database has several addresses.
    expect(isDatabaseUnavailable(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe(true);
    const { body } = await service.send('POST', '/v1/personas', { name: 'Ada' });
    await server.stop();
    const started = { personaConfig: { personaId: body.id } };
    for (const [method, url, sent] of [
      ['GET', '/v1/personas', undefined],
      ['PUT', `/v1/personas/${body.id}`, { name: 'Bea' }],
      ['POST', '/v1/engine/session', started],
    ] as const)
      expect(await service.send(method, url, sent), url).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: {
          error: 'Database is unavailable',
          message: 'The database of this deployment does not answer; try again.',
        },
      });
    const failures = service.logged.filter((line) => line.includes('request failed'));
    expect(failures).toHaveLength(3);
    expect(failures.join('')).not.toMatch(/"stack"|    at /);
    await service.close();
    await service.store.close();
  });
});
