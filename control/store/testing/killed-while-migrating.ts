/**
 * A process that is killed in the middle of a migration: it brings a database to a schema and ends with SIGKILL before that
 * one is whole.
 *
 *   node control/store/testing/killed-while-migrating.ts FILE-OR-URL VERSION
 */
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from '../open.ts';
import { openPostgresPool } from '../postgres-pool.ts';
import { SqliteDialect } from '../sqlite-dialect.ts';

const [where = '', version = ''] = process.argv.slice(2);
const isUrl = where.startsWith('postgres');
const db: Kysely<unknown> = new Kysely({
  dialect: isUrl ? new PostgresDialect({ pool: openPostgresPool(where, 'migrations') }) : new SqliteDialect(where),
});
const all = await migrations.getMigrations();
const killed = {
  async up(on: Kysely<unknown>) {
    await all[version]!.up(on);
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment; the migration must not end meanwhile.
    await new Promise(() => {});
  },
};
await new Migrator({ db, provider: { getMigrations: async () => ({ ...all, [version]: killed }) } }).migrateTo(version);
