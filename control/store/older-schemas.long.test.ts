import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { byWords } from '../api/knowledge/passages.ts';
import { postgresPrograms, type TestPostgres } from '../testing/postgres.ts';
import { openSharedPostgres } from '../testing/shared-postgres.ts';
import { migrations, openStore, type Store } from './open.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { searchTerms } from './search/search-terms.ts';
import { SqliteDialect } from './sqlite-dialect.ts';

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}

/** A passage that both kinds of index have to find. */
const CONTENT = 'The café sells model ships. 営業時間は九時から';
/** Tables that no row survives in, by decision: 0004 ends the tokens of before. */
const EMPTIED = 'session_tokens';
/** Columns that migrations change, by decision. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  meeting_invites: ['request_json', 'request_cipher', 'status', 'status_reason'],
  knowledge_chunks: ['terms', 'words'],
};

/**
 * Databases as older versions left them: made by the migrations of before, which never change, with one row in each
 * table. Every one has to open, keep its rows, and be as a new database is.
 */
const VERSIONS = Object.keys(await migrations.getMigrations()).toSorted();
/** The oldest, which goes through all migrations, and those that the newest ones change. */
const IN_EVERY_RUN = [VERSIONS[0]!, ...VERSIONS.slice(-3, -1)];

function dialectOf({ dataDir, databaseUrl }: Place): Dialect {
  return databaseUrl === undefined
    ? new SqliteDialect(join(dataDir, 'parley.sqlite'))
    : new PostgresDialect({ pool: openPostgresPool(databaseUrl, 'migrations') });
}

/** Makes the database of a version, with a row in every table. @returns the rows. */
async function asOf(version: string, place: Place): Promise<Rows> {
  const db: Kysely<unknown> = new Kysely({ dialect: dialectOf(place) });
  try {
    const { error } = await new Migrator({ db, provider: migrations }).migrateTo(version);
    if (error !== undefined) throw error;
    const tables = await columnsOf(db);
    let waiting = Object.keys(tables);
    while (waiting.length > 0) {
      const refused: string[] = [];
      for (const table of waiting)
        await insert(db, table, tables[table]!).catch((reason: unknown) => refused.push(`${table}: ${reason}`));
      // A row whose references are not there yet comes after them.
      if (refused.length === waiting.length) throw new Error(refused.join('\n'));
      waiting = refused.map((line) => line.slice(0, line.indexOf(':')));
    }
    return await rowsOf(db, Object.keys(tables));
  } finally {
    await db.destroy();
  }
}

type Columns = Readonly<Record<string, string>>;

/** Columns of all tables with their types, without those of the index and of the migrations. */
async function columnsOf(db: Kysely<unknown>): Promise<Readonly<Record<string, Columns>>> {
  const tables = await db.introspection.getTables();
  const own = tables.filter(({ name }) => !/^(kysely_|knowledge_words|sqlite_)/.test(name));
  return Object.fromEntries(
    own.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        columns
          .map((column) => [column.name, `${column.dataType.toLowerCase()}${column.isNullable ? '?' : ''}`] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ]),
  );
}

async function insert(db: Kysely<unknown>, table: string, columns: Columns): Promise<void> {
  const values = Object.entries(columns).flatMap(([name, type]) => {
    const value = valueFor(table, name, type);
    return value === undefined ? [] : [[name, value] as const];
  });
  await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.ref(name)))})
    values (${sql.join(values.map(([, value]) => value))})`.execute(db);
}

function valueFor(table: string, name: string, type: string): unknown {
  // What the database makes itself.
  if (name === 'words' || (table === 'knowledge_chunks' && name === 'id')) return undefined;
  if (name === 'embedding') return null;
  if (name === 'content') return CONTENT;
  if (name === 'terms') return searchTerms(CONTENT).terms;
  if (table === 'knowledge_documents' && name === 'status') return 'READY';
  if (/int|double|float/.test(type)) return 1;
  if (name.endsWith('_json')) return '{}';
  return name === 'id' || name.endsWith('_id') ? 'one' : `${name} of before`;
}

async function rowsOf(db: Kysely<unknown>, tables: readonly string[]): Promise<Rows> {
  const all: Record<string, Record<string, unknown>[]> = {};
  for (const table of tables)
    all[table] = (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows;
  return all;
}

/** Every value of before is still there, but for what a migration changes on purpose. */
function expectKept(before: Rows, after: Rows): void {
  for (const [table, rows] of Object.entries(before)) {
    if (table === EMPTIED && 'request_json' in rows[0]!) {
      expect(after[table]).toEqual([]);
      continue;
    }
    const changed = CHANGED[table] ?? [];
    const kept = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !changed.includes(name))));
    expect(after[table], table).toMatchObject(kept);
  }
}

async function expectFound(store: Store): Promise<void> {
  for (const question of ['cafe', 'Ships', '営業時間']) {
    const alternatives = searchTerms(question)
      .terms.split(' ')
      .map((term) => ({ term, isPrefix: false }));
    const found = await byWords(store, ['one'], [{ alternatives: alternatives as never, rarity: 1 }], 5);
    expect(found, question).toHaveLength(1);
  }
}

function tests(place: () => Promise<Place>): void {
  let fresh: Readonly<Record<string, Columns>>;
  beforeAll(async () => {
    const store = await openStore(await place());
    fresh = await columnsOf(store.db as unknown as Kysely<unknown>);
    await store.close();
  });

  const title = 'of %s opens, keeps its rows, and is as a new one';
  it.each(IN_EVERY_RUN)(title, opens);
  it.each(VERSIONS.slice(1, -3))(title, { tags: ['nightly'] }, opens);

  async function opens(version: string): Promise<void> {
    const where = await place();
    const before = await asOf(version, where);
    expect(Object.values(before).every((rows) => rows.length === 1)).toBe(true);
    const store = await openStore(where);
    onTestFinished(() => store.close());
    const db = store.db as unknown as Kysely<unknown>;
    expect(await columnsOf(db)).toEqual(fresh);
    expectKept(before, await rowsOf(db, Object.keys(before)));
    if ('knowledge_chunks' in before) await expectFound(store);
  }
}

describe('a database of an older schema (SQLite)', () => {
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  tests(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-older-'));
    folders.push(dataDir);
    return { dataDir };
  });
});

describe.skipIf(postgresPrograms() === null)('a database of an older schema (PostgreSQL)', () => {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    server = await openSharedPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });
  tests(async () => ({ dataDir: '', databaseUrl: await server!.createDatabase() }));
});
