import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const COMMITS = 200;
/** `engine/session` hands the event log over in pieces of 16 KiB. */
const ROW = 'x'.repeat(16 * 1024);
/**
 * Rows that a session writes a second: a piece of the log each 7 s (2.3 k characters a second,
 * `docs/decisions/takeover.md`), and two turns in 12 s.
 */
export const ROWS_PER_SECOND = 1 / 7 + 2 / 12;

/**
 * A commit that is on disk, as the service's writer does it. Each engine process has a writer of its own, and one file
 * has one writer at a time. @param folder on the disk that is to be measured. @returns ms, mean.
 */
export async function measureCommit(folder: string): Promise<number> {
  const own = await mkdtemp(join(folder, 'commits-'));
  const database = new Sqlite(join(own, 'bench.sqlite'));
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec('create table rows (id integer primary key, text text)');
    const insert = database.prepare('insert into rows (text) values (?)');
    const began = performance.now();
    for (let n = 0; n < COMMITS; n += 1) insert.run(ROW);
    return (performance.now() - began) / COMMITS;
  } finally {
    database.close();
    await rm(own, { recursive: true });
  }
}
