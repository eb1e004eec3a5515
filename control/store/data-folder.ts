import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Logger } from '../../runtime/log.ts';
import { StartError } from '../../runtime/start-error.ts';

/** The data folder, as held by the one service that works on it. */
export interface DataFolder {
  /** Releases it for another service. The end of the process also does this, however it ends. */
  release(): void;
}

/**
 * How long a start waits for the folder, ms. A service that was killed with `kill -9` releases it once the system has
 * taken back its memory: tenths of a second.
 */
const LOCK_WAIT_MS = 2000;

/**
 * Subfolders with conversations or secrets. The folder itself may be shared with others (`/srv`), so its own mode
 * stays.
 */
const PRIVATE = [
  'parley.sqlite',
  'parley.sqlite-wal',
  'parley.sqlite-shm',
  'master.key',
  'blobs',
  'recordings',
  'photo-avatars',
];

/** From now on only this process's user can read the files that it writes. Called before anything is written. */
export function setPrivateUmask(): void {
  process.umask(0o077);
}

/**
 * Takes the data folder, which is made when missing: alone, because a second service would take the live sessions of
 * the first for those of a crash. What an older release left readable for others is closed to them.
 * @throws StartError
 */
export async function openDataFolder(path: string, log: Logger): Promise<DataFolder> {
  await makeFolder(path).catch((error: unknown) => {
    throw new StartError(
      `PARLEY_DATA_DIR: the folder ${path} cannot be made (${textOf(error)}). Name another one, or make it and give it to this user.`,
      { cause: error },
    );
  });
  const lock = takeLock(path);
  await Promise.all(PRIVATE.map((name) => closeToOthers(join(path, name), log)));
  return { release: () => void lock.close() };
}

/** `mkdir -p`. Node's own never ends if a folder exists and accepts no others, as in `/proc`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/**
 * A lock of the operating system on a file, made through SQLite. It ends with the process, and does not depend on
 * process ids.
 */
function takeLock(path: string): Sqlite.Database {
  try {
    const lock = new Sqlite(join(path, 'parley.lock'), { timeout: LOCK_WAIT_MS });
    // Nothing is ever written, so nothing needs a journal on the disk.
    lock.pragma('journal_mode = memory');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    const advice =
      (error as { code?: string }).code === 'SQLITE_BUSY'
        ? `PARLEY_DATA_DIR: another Parley is running on the folder ${path}. Stop that one first, or give this one a folder of its own.`
        : `PARLEY_DATA_DIR: the folder ${path} cannot be written to (${textOf(error)}). Make it writable for this user, or name another one.`;
    throw new StartError(advice, { cause: error });
  }
}

async function closeToOthers(path: string, log: Logger): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    log.warn({ err: error, path }, 'others on this machine may be able to read this: its mode could not be changed');
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
