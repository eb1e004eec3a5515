import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Store, openStore } from '../store/open.ts';
import { postgresPrograms } from './postgres.ts';
import { openSharedPostgres, type SharedPostgres } from './shared-postgres.ts';

export interface TestStores {
  /** A fresh, empty, migrated store; closed and deleted after the file's tests. */
  open(): Promise<Store>;
}

const FILE = 'parley.sqlite';

/** The file of a store with the newest schema and no rows, made once in each process: a copy needs no migrations. */
let migrated: Promise<string> | undefined;

async function migrateOnce(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-migrated-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await (await openStore({ dataDir })).close();
  return join(dataDir, FILE);
}

async function sqliteStore(): Promise<{ store: Store; remove: () => void }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-store-'));
  copyFileSync(await (migrated ??= migrateOnce()), join(dataDir, FILE));
  return { store: await openStore({ dataDir }), remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** For tests to which the database does not matter: a SQLite store of the file's own. */
export function describeOnSqlite(name: string, tests: (stores: TestStores) => void): void {
  describe(name, () => tests(cleanedUp(sqliteStore)));
}

/** Runs the same tests on both databases. PostgreSQL is skipped, and says so, only where it is not installed. */
export function describeOnBothDatabases(name: string, tests: (stores: TestStores) => void): void {
  describeOnBoth(name, tests, []);
}

/** The same, but on SQLite each night only, where there is PostgreSQL: many tests alike, whose like other files run on both. */
export function describeOnBothDatabasesEachNight(name: string, tests: (stores: TestStores) => void): void {
  describeOnBoth(name, tests, postgresPrograms() === null ? [] : ['nightly']);
}

function describeOnBoth(name: string, tests: (stores: TestStores) => void, tagsOnSqlite: string[]): void {
  const missing = postgresPrograms() === null;
  describe(`${name} (SQLite)`, { tags: tagsOnSqlite }, () => {
    tests(cleanedUp(sqliteStore));
  });
  describe.skipIf(missing)(
    `${name} (PostgreSQL${missing ? ': not installed, apt-get install postgresql' : ''})`,
    () => {
      let server: SharedPostgres | undefined;
      beforeAll(async () => {
        server = await openSharedPostgres();
      });
      tests(
        cleanedUp(async () => ({
          store: await openStore({ dataDir: '', databaseUrl: await server!.createMigrated() }),
          remove: () => {},
        })),
      );
      afterAll(async () => {
        await server?.stop();
      });
    },
  );
}

function cleanedUp(make: () => Promise<{ store: Store; remove: () => void }>): TestStores {
  const made: { store: Store; remove: () => void }[] = [];
  afterAll(async () => {
    for (const { store, remove } of made) {
      await store.close();
      remove();
    }
  });
  return {
    async open() {
      const next = await make();
      made.push(next);
      return next.store;
    },
  };
}
