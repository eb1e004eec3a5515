import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../runtime/testing/bare-environment.ts';
import { openStore } from '../control/store/open.ts';

/**
 * The documented command was `sqlite3 … .backup`, and the container image has no `sqlite3`. A copy of the file alone lacks the
 * newest writes.
 */
describe('a backup of the database', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-backup-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const backup = (args: readonly string[], environment: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL('backup.ts', import.meta.url)), ...args], {
      env: bareEnvironment({ PARLEY_DATA_DIR: dataDir, ...environment }),
    }).then(
      ({ stdout }) => ({ status: 0, says: stdout }),
      (error: { code: number; stderr: string }) => ({ status: error.code, says: error.stderr }),
    );

  it('has what a running service has written, and the service goes on writing', async () => {
    const store = await openStore({ dataDir });
    const row = (name: string) => store.db.insertInto('job_runs').values({ name, ran_at: 'x'.repeat(5000) });
    const add = (name: string) => row(name).execute();
    await store.atomically(Array.from({ length: 500 }, (_, index) => row(`before ${index}`)));
    let state: 'copying' | 'copied' = 'copying';
    const file = join(dataDir, 'copy.sqlite');
    const copied = backup([file]).finally(() => (state = 'copied'));
    let meanwhile = 0;
    while (state === 'copying') await add(`meanwhile ${(meanwhile += 1)}`);
    expect(await copied).toEqual({ status: 0, says: expect.stringMatching(/copy\.sqlite has \d+\.\d MB/) });
    await store.close();
    const copy = new Sqlite(file, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    const { rows } = copy.prepare("SELECT count(*) rows FROM job_runs WHERE name LIKE 'before%'").get() as {
      rows: number;
    };
    copy.close();
    expect(rows).toBe(500);
    expect(meanwhile).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readdirSync(dataDir).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('is refused with a reason', async () => {
    const file = join(dataDir, 'copy.sqlite');
    const refused = (says: string) => ({ status: 2, says: expect.stringContaining(says) });
    expect(await backup([])).toEqual(refused('One FILE is needed'));
    expect(await backup([file])).toEqual(refused(`There is no database in the folder ${dataDir}`));
    expect(existsSync(join(dataDir, 'parley.sqlite'))).toBe(false);
    expect(await backup([file], { DATABASE_URL: 'postgres://x/y' })).toEqual(refused('pg_dump'));
    await (await openStore({ dataDir })).close();
    writeFileSync(file, 'of yesterday');
    expect(await backup([file])).toEqual(refused('exists already'));
    expect((await backup(['--help'])).says).toContain('node scripts/backup.ts FILE');
  });
});
