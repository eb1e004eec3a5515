import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresPrograms } from '../testing/postgres.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';
import { migrations, openStore } from './open.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { SqliteDialect } from './sqlite-dialect.ts';

/**
 * A service that was killed while it brought an old SQLite database up to date never started again: the first columns of
 * the migration were there, and adding them failed. Each migration is cut off at its end by an error, and three by
 * SIGKILL: in every run SQLite, whose files showed it, by both (by the error only the newest), and PostgreSQL by the
 * quicker one.
 */

/** As many as one release brings. */
const NEWEST = 5;

/** A database that was brought to each schema by a process that was killed in the middle of it. @param last so many. */
async function cutOff(dialect: () => Dialect, last = Number.POSITIVE_INFINITY): Promise<void> {
  for (const version of Object.keys(await migrations.getMigrations()).slice(-last)) {
    const db: Kysely<unknown> = new Kysely({ dialect: dialect() });
    const provider: MigrationProvider = {
      async getMigrations() {
        const all = await migrations.getMigrations();
        const cut = {
          up: (on: Kysely<unknown>) => all[version]!.up(on).then(() => Promise.reject(new Error('killed'))),
        };
        return { ...all, [version]: cut };
      },
    };
    const { error } = await new Migrator({ db, provider }).migrateTo(version);
    await db.destroy();
    expect((error as Error).message, version).toBe('killed');
  }
}

/** The first one, one in the middle, and the last one. */
async function killed(where: string): Promise<void> {
  const versions = Object.keys(await migrations.getMigrations());
  for (const index of [0, Math.floor(versions.length / 2), versions.length - 1]) {
    const child = fork(new URL('testing/killed-while-migrating.ts', import.meta.url), [where, versions[index]!]);
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal, versions[index]).toBe('SIGKILL');
  }
}

describe('a migration that is cut off is made whole by the next start', () => {
  function emptyFolder(): string {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-migration-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    return dataDir;
  }
  const emptyDatabase = async (): Promise<string> => (await openSharedPostgres()).createDatabase();

  for (const [which, last, tags] of [
    ['the newest', NEWEST, []],
    ['each', Number.POSITIVE_INFINITY, ['nightly']],
  ] as const)
    it(`of SQLite, by an error: ${which}`, { tags: [...tags] }, async () => {
      const dataDir = emptyFolder();
      await cutOff(() => new SqliteDialect(join(dataDir, 'parley.sqlite')), last);
      await (await openStore({ dataDir })).close();
    });

  it('of SQLite, by the end of its process', async () => {
    const dataDir = emptyFolder();
    await killed(join(dataDir, 'parley.sqlite'));
    await (await openStore({ dataDir })).close();
  });

  (postgresPrograms() === null ? it.skip : it)('of PostgreSQL, by an error', { tags: ['nightly'] }, async () => {
    const databaseUrl = await emptyDatabase();
    await cutOff(() => new PostgresDialect({ pool: openPostgresPool(databaseUrl, 'migrations') }));
    await (await openStore({ dataDir: tmpdir(), databaseUrl })).close();
  });

  it.skipIf(postgresPrograms() === null)('of PostgreSQL, by the end of its process', async () => {
    const databaseUrl = await emptyDatabase();
    await killed(databaseUrl);
    await (await openStore({ dataDir: tmpdir(), databaseUrl })).close();
  });
});
