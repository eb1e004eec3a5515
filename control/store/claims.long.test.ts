import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, type TestPostgres } from '../testing/postgres.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';
import { claimsInMemory, type Claims } from './claims.ts';
import { claimsInPostgres } from './claims-in-postgres.ts';

async function holdsEachOnce(claims: Claims): Promise<void> {
  const first = await claims.take('a');
  expect(first).not.toBeNull();
  expect(await claims.take('a')).toBeNull();
  expect(await claims.take('b')).not.toBeNull();
  await first!.release();
  expect(await claims.take('a')).not.toBeNull();
}

it('a claim in memory is held once', () => holdsEachOnce(claimsInMemory()));

describe.skipIf(postgresPrograms() === null)('claims in PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openSharedPostgres();
  });
  afterAll(() => server.stop());

  it('are held once, by one process', async () => {
    const url = await server.createDatabase();
    const [one, other] = [claimsInPostgres(url), claimsInPostgres(url)];
    await holdsEachOnce(one);
    expect(await other.take('a')).toBeNull();
    expect(await other.take('c')).not.toBeNull();
    // As when the process ends.
    await one.close();
    await expect.poll(() => other.take('a')).not.toBeNull();
    await other.close();
  });

  it('are lost with the connection, and the holder learns of it', async () => {
    const url = await server.createDatabase();
    const [one, other] = [claimsInPostgres(url), claimsInPostgres(url)];
    const claim = (await one.take('a'))!;
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
       and database = (select oid from pg_database where datname = current_database())`,
    );
    await expect.poll(() => claim.lost.aborted).toBe(true);
    const taken = (await other.take('a'))!;
    // Gives back nothing that it no longer has.
    await claim.release();
    expect(await one.take('a')).toBeNull();
    await taken.release();
    expect(await one.take('a')).not.toBeNull();
    await Promise.all([admin.end(), one.close(), other.close()]);
  });
});
