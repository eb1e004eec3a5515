import { join } from 'node:path';
import { type Compilable, Kysely, PostgresDialect, sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { DatabaseError } from 'pg';
import * as firstSchema from './migrations/0001-first-schema.ts';
import * as knowledgeSearch from './migrations/0002-knowledge-search.ts';
import * as videoProgress from './migrations/0003-video-progress.ts';
import * as sealedTokens from './migrations/0004-sealed-tokens.ts';
import * as sealedInvites from './migrations/0005-sealed-invites.ts';
import * as documentAttempts from './migrations/0006-document-attempts.ts';
import * as sessionReplay from './migrations/0007-session-replay.ts';
import * as openAiFormOfAnthropic from './migrations/0008-openai-form-of-anthropic.ts';
import * as mcpServers from './migrations/0009-mcp-servers.ts';
import * as shareLinkSessions from './migrations/0010-share-link-sessions.ts';
import * as organizationTranscription from './migrations/0011-organization-transcription.ts';
import * as personaStyleAndLength from './migrations/0012-persona-style-and-length.ts';
import * as speakerNames from './migrations/0013-speaker-names.ts';
import * as meetingVisits from './migrations/0014-meeting-visits.ts';
import * as jobRuns from './migrations/0015-job-runs.ts';
import * as sessionsByEnd from './migrations/0016-sessions-by-end.ts';
import * as erasedSessions from './migrations/0017-erased-sessions.ts';
import * as notForPersona from './migrations/0018-not-for-persona.ts';
import * as searchTermsOfPassages from './migrations/0019-search-terms.ts';
import * as webhooks from './migrations/0020-webhooks.ts';
import * as personaVersions from './migrations/0021-persona-versions.ts';
import * as personaTests from './migrations/0022-persona-tests.ts';
import * as personaVariables from './migrations/0023-persona-variables.ts';
import * as sessionGrades from './migrations/0024-session-grades.ts';
import * as documentReadings from './migrations/0025-document-readings.ts';
import * as versionShares from './migrations/0026-version-shares.ts';
import * as speechModels from './migrations/0027-speech-models.ts';
import * as sessionUsage from './migrations/0028-session-usage.ts';
import * as users from './migrations/0029-users.ts';
import * as prices from './migrations/0030-prices.ts';
import { pointReader } from './point-reader.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { SqliteDialect } from './sqlite-dialect.ts';
import { SqliteError } from './sqlite-thread.ts';
import { storeProblem } from './store-problem.ts';
import type { Database } from './tables.ts';

/** Applied in the order of their names. A released one never changes. */
const MIGRATIONS = {
  '0001-first-schema': firstSchema,
  '0002-knowledge-search': knowledgeSearch,
  '0003-video-progress': videoProgress,
  '0004-sealed-tokens': sealedTokens,
  '0005-sealed-invites': sealedInvites,
  '0006-document-attempts': documentAttempts,
  '0007-session-replay': sessionReplay,
  '0008-openai-form-of-anthropic': openAiFormOfAnthropic,
  '0009-mcp-servers': mcpServers,
  '0010-share-link-sessions': shareLinkSessions,
  '0011-organization-transcription': organizationTranscription,
  '0012-persona-style-and-length': personaStyleAndLength,
  '0013-speaker-names': speakerNames,
  '0014-meeting-visits': meetingVisits,
  '0015-job-runs': jobRuns,
  '0016-sessions-by-end': sessionsByEnd,
  '0017-erased-sessions': erasedSessions,
  '0018-not-for-persona': notForPersona,
  '0019-search-terms': searchTermsOfPassages,
  '0020-webhooks': webhooks,
  '0021-persona-versions': personaVersions,
  '0022-persona-tests': personaTests,
  '0023-persona-variables': personaVariables,
  '0024-session-grades': sessionGrades,
  '0025-document-readings': documentReadings,
  '0026-version-shares': versionShares,
  '0027-speech-models': speechModels,
  '0028-session-usage': sessionUsage,
  '0029-users': users,
  '0030-prices': prices,
};
export const migrations: MigrationProvider = { getMigrations: async () => MIGRATIONS };

export interface Store {
  readonly kind: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  /**
   * Reads a few rows by key. With SQLite this happens on the calling thread: it takes 3 µs (`bench/control-plane`), a
   * tenth of what handing it to another thread costs that same thread. Do not use it for queries that scan a table.
   */
  find<T>(query: Findable<T>): Promise<T[]>;
  /** Like `find`, for at most one row. */
  findOne<T>(query: Findable<T>): Promise<T | undefined>;
  /** Runs statements in one transaction and one round trip: all of them happen or none. */
  atomically(statements: readonly Compilable[]): Promise<void>;
  /** The same for a change of rows and what belongs to it. @returns false, and nothing happened, when it found no row. */
  atomicallyIfFound(change: Compilable, also: readonly Compilable[]): Promise<boolean>;
  /** Rejects if the database does not answer, or (PostgreSQL) takes no writes. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A select query. */
export interface Findable<T> extends Compilable<T> {
  execute(): Promise<T[]>;
}

/**
 * Opens the store and brings its schema up to date, unless it is to stay as it is.
 * @param where `databaseUrl` for PostgreSQL, else one SQLite file in `dataDir`, a folder that exists.
 * @param where.warn told when a thread of SQLite ended and another one took over. A write is acknowledged when it is on
 * disk (SQLite: `synchronous=FULL`, in a thread of its own).
 * @throws StartError when the operator can solve the problem.
 */
export async function openStore(where: {
  dataDir: string;
  databaseUrl?: string | undefined;
  /** @defaultValue up to date */
  schema?: 'up to date' | 'as it is';
  warn?: (message: string) => void;
}): Promise<Store> {
  const file = where.databaseUrl === undefined ? join(where.dataDir, 'parley.sqlite') : null;
  const store = file === null ? postgresStore(where.databaseUrl!) : sqliteStore(file, where.warn);
  try {
    if (where.schema === 'as it is') await store.ping();
    else await migrate(store, where.databaseUrl);
  } catch (error) {
    await store.close();
    throw (
      storeProblem(error, file) ??
      new Error(
        `The database schema could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    );
  }
  return store;
}

async function migrate({ db }: Store, databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl === undefined) return migrateBy(db);
  const patient = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: openPostgresPool(databaseUrl, 'migrations') }),
  });
  try {
    await migrateBy(patient);
  } finally {
    await patient.destroy();
  }
}

async function migrateBy(db: Kysely<Database>): Promise<void> {
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) throw error;
}

function sqliteStore(file: string, warn?: (message: string) => void): Store {
  const dialect = new SqliteDialect(file, warn);
  const db = new Kysely<Database>({ dialect });
  const point = pointReader(file);
  return {
    kind: 'sqlite',
    db,
    find: async (query) => point.read(query.compile()) ?? query.execute(),
    findOne: async <T>(query: Findable<T>) => (point.read<T>(query.compile()) ?? (await query.execute()))[0],
    atomically: async (statements) => {
      if (statements.length > 0) await dialect.driver.atomically(statements.map((statement) => statement.compile()));
    },
    async atomicallyIfFound(change, also) {
      const statements = [change, ...also].map((statement) => statement.compile());
      const [changed] = await dialect.driver.atomically(statements, { ifFound: true });
      return changed!.changes > 0;
    },
    ping: async () => void (await sql`select 1`.execute(db)),
    async close() {
      point.close();
      await db.destroy();
    },
  };
}

function postgresStore(databaseUrl: string): Store {
  const pool = openPostgresPool(databaseUrl, 'requests');
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    db,
    find: (query) => query.execute(),
    findOne: async (query) => (await query.execute())[0],
    atomically: async (statements) => {
      await db.transaction().execute(async (transaction) => {
        for (const statement of statements) await transaction.executeQuery(statement.compile());
      });
    },
    atomicallyIfFound: (change, also) =>
      db.transaction().execute(async (transaction) => {
        const { numAffectedRows = 0n } = await transaction.executeQuery(change.compile());
        if (numAffectedRows === 0n) return false;
        for (const statement of also) await transaction.executeQuery(statement.compile());
        return true;
      }),
    ping: () => assertWritable(db),
    close: () => db.destroy(),
  };
}

/** After a fail-over, the old primary answers, and takes no writes: this fails as a write does. */
async function assertWritable(db: Kysely<Database>): Promise<void> {
  await sql`do $$ begin
    if current_setting('transaction_read_only') = 'on' then raise read_only_sql_transaction; end if;
  end $$`.execute(db);
}

/** Whether a write was refused because another row has the same unique value. */
export function isUniqueViolation(error: unknown): boolean {
  if (error instanceof SqliteError)
    return error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
  return error instanceof DatabaseError && error.code === '23505';
}

/** Whether a write was refused because a row that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  if (error instanceof SqliteError) return error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
  return error instanceof DatabaseError && error.code === '23503';
}
