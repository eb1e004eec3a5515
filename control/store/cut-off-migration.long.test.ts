import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { expect, it, onTestFinished } from 'vitest';
import { postgresPrograms } from '../testing/postgres.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';
import { migrations, openStore } from './open.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { SqliteDialect } from './sqlite-dialect.ts';

/**
 * A service that was killed while it brought an old SQLite database up to date never started again: the first columns of
 * the migration were there, and adding them failed. Each migration is tried, cut off at its end.
 */

/** A database that was brought to each schema by a process that was killed in the middle of it. */
async function cutOff(dialect: () => Dialect): Promise<void> {
  for (const version of Object.keys(await migrations.getMigrations())) {
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

it('SQLite: a migration that is cut off is made whole by the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-migration-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  await cutOff(() => new SqliteDialect(join(dataDir, 'parley.sqlite')));
  await (await openStore({ dataDir })).close();
});

it.skipIf(postgresPrograms() === null)('PostgreSQL: the same', async () => {
  const databaseUrl = await (await openSharedPostgres()).createDatabase();
  await cutOff(() => new PostgresDialect({ pool: openPostgresPool(databaseUrl, 'migrations') }));
  await (await openStore({ dataDir: tmpdir(), databaseUrl })).close();
});
