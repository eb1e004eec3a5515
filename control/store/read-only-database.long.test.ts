import { Client } from 'pg';
import { expect, it } from 'vitest';
import { eventually } from '../../engine/testing/eventually.ts';
import { type OwnPostgres, postgresPrograms, startPostgres } from '../testing/postgres.ts';
import { startTestService } from '../testing/service.ts';
import { openStore } from './open.ts';
import { isTransient } from './storage-errors.ts';

/**
 * A database that took no writes answered 500, `/readyz` said 200, and what was said in conversations was dropped after
 * five attempts. The primary of before does this after a fail-over, and its connections lead there until they are closed.
 */
it.skipIf(postgresPrograms() === null)('a read-only PostgreSQL is told, and used once it takes writes', async () => {
  const server: OwnPostgres = await startPostgres();
  const url = await server.createDatabase();
  const service = await startTestService(await openStore({ dataDir: '', databaseUrl: url }));
  const administrator = new Client({ connectionString: server.url });
  await administrator.connect();
  const database = new URL(url).pathname.slice(1);
  const tool = (name: string) => service.send('POST', '/v1/tools', { name, description: 'd', type: 'CLIENT' });
  const readiness = () => service.send('GET', '/readyz', undefined, null);

  await eventually(async () => expect(await readiness()).toMatchObject({ body: { database: 'ok' } }));
  await administrator.query(`alter database "${database}" set default_transaction_read_only = on`);
  await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  await eventually(async () => expect(await readiness()).toMatchObject({ status: 503, body: { database: 'down' } }));
  await eventually(async () => expect(await service.send('GET', '/v1/tools')).toMatchObject({ status: 200 }));
  expect(await tool('refused')).toMatchObject({ status: 503 });
  const refused = await service.store.db
    .deleteFrom('tools')
    .execute()
    .catch((error: unknown) => error);
  expect(isTransient(refused)).toBe(true);

  await administrator.query(`alter database "${database}" reset default_transaction_read_only`);
  await eventually(async () => expect(await tool('taken')).toMatchObject({ status: 201 }));
  await eventually(async () => expect(await readiness()).toMatchObject({ body: { database: 'ok' } }));

  await administrator.end();
  await service.close();
  await service.store.close();
  await server.stop();
});
