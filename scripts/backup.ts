/** A copy of the SQLite database of a service that may be running: `node scripts/backup.ts FILE`. */
import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { readSettings, SettingsError } from '../control/settings/settings.ts';
import { setPrivateUmask } from '../control/store/data-folder.ts';
import { ProgressLine, megabytes } from '../service/process/progress-line.ts';

const HELP = `Copies the SQLite database, as it is at one moment. The service may run meanwhile, and goes on writing.

  node scripts/backup.ts FILE      for example /data/backup-2026-03-01.sqlite

PARLEY_DATA_DIR says where the database is, as for the service itself. FILE must not exist yet, and appears when it is
complete. To restore it: stop the service, put FILE in the place of parley.sqlite, and delete parley.sqlite-wal and
parley.sqlite-shm.

A whole backup also has blobs/, photo-avatars/, recordings/ and master.key of the data folder. PostgreSQL has pg_dump.`;

/** Pages of 4 KiB between two looks at the progress: 4 MB. */
const STEP_PAGES = 1000;

/** What whoever runs it can correct. */
class UsageError extends Error {}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [name] = positionals;
  if (values.help === true) return HELP;
  if (name === undefined || positionals.length > 1) throw new UsageError('One FILE is needed. See --help');
  const settings = readSettings(process.env);
  if (settings.DATABASE_URL !== undefined)
    throw new UsageError('DATABASE_URL is set: the database is in PostgreSQL. Copy it with pg_dump.');
  const folder = resolve(settings.PARLEY_DATA_DIR);
  const database = join(folder, 'parley.sqlite');
  if (!existsSync(database))
    throw new UsageError(
      `There is no database in the folder ${folder}. PARLEY_DATA_DIR names the folder of the service.`,
    );
  const file = resolve(name);
  if (existsSync(file)) throw new UsageError(`${file} exists already. Name another file.`);
  setPrivateUmask();
  await copy(database, file);
  return `${file} has ${megabytes((await stat(file)).size)} MB.`;
}

async function copy(database: string, file: string): Promise<void> {
  const partial = `${file}.partial`;
  const source = new Sqlite(database, { readonly: true, fileMustExist: true });
  const line = new ProgressLine('backup', process.stderr);
  try {
    const pageBytes = source.pragma('page_size', { simple: true }) as number;
    // Without a transaction, each write of the service would begin the copy anew.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await rm(partial, { force: true });
    await source.backup(partial, {
      progress({ totalPages, remainingPages }) {
        line.update((totalPages - remainingPages) * pageBytes, totalPages * pageBytes);
        return STEP_PAGES;
      },
    });
    await rename(partial, file);
    line.finish('backup  complete');
  } finally {
    source.close();
    await rm(partial, { force: true });
  }
}

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  const usage =
    error instanceof UsageError ||
    error instanceof SettingsError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(
    `${usage ? '' : 'The backup failed. '}${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = usage ? 2 : 1;
}
