import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../runtime/testing/bare-environment.ts';
import { runKeys } from './keys/run-keys.ts';

describe('keys from the command line', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-keys-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  /** As a program of its own, which takes a second to start. */
  const program = (...args: string[]) => {
    const script = fileURLToPath(new URL('./keys.ts', import.meta.url));
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, ...args],
      { encoding: 'utf8', env: bareEnvironment({ PARLEY_DATA_DIR: dataDir }) },
    );
    return { stdout, stderr, status };
  };
  const keys = (...args: string[]) => keysIn(dataDir, ...args);
  const keysIn = (folder: string, ...args: string[]) => runKeys(args, { PARLEY_DATA_DIR: folder });

  it('are made, listed without the key itself, and revoked', async () => {
    const made = program(
      'create',
      '--name',
      'shop',
      '--organization',
      'acme',
      '--scopes',
      'personas:read,session-tokens',
    );
    const [, id] = /id {3}(\S+)/.exec(made.stdout)!;
    const [, key] = /key {2}(parley_\S+)/.exec(made.stdout)!;
    const listed = (await keys('list')).stdout;
    expect(listed).toMatch(
      new RegExp(`${id} {2}acme {2}shop {2}personas:read,session-tokens {2}made \\S+ {2}never used`),
    );
    expect(listed).not.toContain(key!);
    expect(readFileSync(join(dataDir, 'parley.sqlite')).includes(key!)).toBe(false);
    expect((await keys('revoke', id!, '--with-tokens')).stdout).toContain('Revoked');
    expect((await keys('list')).stdout).toContain('revoked');
  });

  /** With a misspelled folder, `list` made an empty database there and said that there were no keys. */
  it('are not looked for where there is no database', async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    for (const command of [['list'], ['revoke', 'some-id']])
      expect(await keysIn(elsewhere, ...command)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(
          `There is no database of Parley in the folder ${elsewhere}. PARLEY_DATA_DIR names`,
        ),
      });
    expect(existsSync(elsewhere)).toBe(false);
    expect((await keysIn(elsewhere, 'create', '--name', 'shop')).stderr).toContain(
      `There was no database in the folder ${elsewhere}: a new one was made.`,
    );
    expect((await keysIn(elsewhere, 'create', '--name', 'shop')).stderr).toBe('');
  });

  /** To look at the keys upgraded the database under a running service of the version before. */
  it('are listed in a database of another version, which stays as it is', async () => {
    const older = join(dataDir, 'older');
    await keysIn(older, 'create', '--name', 'shop');
    const database = new Sqlite(join(older, 'parley.sqlite'));
    database.exec("DELETE FROM kysely_migration WHERE name >= '0015'; DROP TABLE job_runs");
    expect(await keysIn(older, 'list')).toMatchObject({ status: 0, stdout: expect.stringContaining('shop') });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'job_runs'").all();
    database.close();
    expect(tables).toEqual([]);
  });

  it('are refused with a reason', async () => {
    const refused = (says: string) => ({ status: 2, stderr: expect.stringContaining(says) });
    expect(await keys('create')).toMatchObject(refused('--name is needed'));
    expect(await keys('create', '--name', '')).toMatchObject(refused('--name is needed'));
    expect(await keys('create', '--name', 'x', '--organization', ' ')).toMatchObject(
      refused('--organization has no name'),
    );
    expect(await keys('create', '--name', 'x', '--scopes', 'everything')).toMatchObject(
      refused('Not a scope: everything. There are: personas, '),
    );
    expect(await keys('create', '--name', 'x', '--without', 'fun')).toMatchObject(
      refused('Not an entitlement: fun. There are: zero-data-retention, '),
    );
    expect(await keys('revoke', 'nobody')).toMatchObject(refused('There is no key nobody; "list" shows'));
    expect(program('burn')).toMatchObject(refused('"burn" is not a command. There are: create, list, revoke.'));
    expect(await keys('create', '--colour')).toMatchObject({ status: 2 });
    expect((await keys()).stdout).toContain('npm run keys -- create');
  });
});
