import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, type TestPostgres } from '../testing/postgres.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';
import { migrations } from './open.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { SqliteDialect } from './sqlite-dialect.ts';

/*
 * Databases of older versions are made by the migrations of now (`older-schemas.long.test.ts`), which is right only as long as those
 * never change. So the statements that made them stand in `testing/`, as they were run: the files were compared with what the
 * migrations of each commit since 2026-11-20 run. Only 0001 got other columns and an index on its first day.
 * A new migration is added with `vitest run control/store/migration-statements --update`; a line that changes there is an error.
 */

/** What only reads, and what the tool that runs migrations does for itself. */
const NO_CHANGE = /^\s*(select|begin|commit|pragma|set|with)\b|"kysely_|pg_advisory/i;

/** @returns what each migration runs on a new database, in their order. */
async function statementsOf(dialect: Dialect): Promise<string> {
  const run: string[] = [];
  const db = new Kysely<unknown>({
    dialect,
    log: ({ query, level }) => {
      if (level === 'query' && !NO_CHANGE.test(query.sql)) run.push(`${query.sql.replaceAll(/\s+/g, ' ').trim()};`);
    },
  });
  try {
    const migrator = new Migrator({ db, provider: migrations });
    for (const version of Object.keys(await migrations.getMigrations()).toSorted()) {
      run.push(`\n-- ${version}`);
      const { error } = await migrator.migrateTo(version);
      if (error !== undefined) throw error;
    }
    return `${run.join('\n').trim()}\n`;
  } finally {
    await db.destroy();
  }
}

describe('What a migration runs', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-statements-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('never changes (SQLite)', async () => {
    const statements = await statementsOf(new SqliteDialect(join(dataDir, 'parley.sqlite')));
    await expect(statements).toMatchFileSnapshot('testing/statements.sqlite.sql');
  });

  describe.skipIf(postgresPrograms() === null)('on PostgreSQL', () => {
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await openSharedPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });

    it('never changes (PostgreSQL)', async () => {
      const pool = openPostgresPool(await server!.createDatabase(), 'migrations');
      const statements = await statementsOf(new PostgresDialect({ pool }));
      await expect(statements).toMatchFileSnapshot('testing/statements.postgres.sql');
    });
  });
});
