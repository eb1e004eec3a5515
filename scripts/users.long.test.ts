import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { hashOf } from '../control/access/credential-cache.ts';
import { runUsers } from './users/run-users.ts';

describe('users from the command line', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-users-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const users = (...args: string[]) =>
    runUsers(args, { PARLEY_DATA_DIR: dataDir, PARLEY_PUBLIC_URL: 'https://parley.example.com' });
  const rowOf = (email: string) => {
    const database = new Sqlite(join(dataDir, 'parley.sqlite'));
    const row = database.prepare('SELECT * FROM users WHERE email = ?').get(email) as Record<string, string | null>;
    database.close();
    return row;
  };
  const tokenIn = (text: string): string =>
    /link {2}https:\/\/parley\.example\.com\/#\/invitation\/([\w-]{43})\n/.exec(text)![1]!;

  it('begin with an admin, who gets a link that is stored nowhere', async () => {
    const made = await users('create', '--email', 'Ada@Example.com', '--name', 'Ada Lovelace');
    expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining('a new one was made') });
    const token = tokenIn(made.stdout);
    expect(rowOf('ada@example.com')).toMatchObject({
      name: 'Ada Lovelace',
      role: 'admin',
      password_hash: null,
      invitation_hash: hashOf(token),
    });
    expect(readFileSync(join(dataDir, 'parley.sqlite')).includes(token)).toBe(false);
    expect(
      (await users('create', '--email', 'bo@example.com', '--role', 'viewer', '--organization', 'acme')).stdout,
    ).toContain('user  bo@example.com');
    const { stdout } = await users('list');
    expect(stdout).toContain('ada@example.com  default  Ada Lovelace  admin  invited  never signed in');
    expect(stdout).toContain('bo@example.com  acme  bo  viewer  invited  never signed in');
  });

  it('get another link, which takes the place of the one before', async () => {
    const first = tokenIn((await users('create', '--email', 'eve@example.com')).stdout);
    const second = tokenIn((await users('link', 'Eve@example.com')).stdout);
    expect(second).not.toBe(first);
    expect(rowOf('eve@example.com')['invitation_hash']).toBe(hashOf(second));
  });

  it('are refused with a reason', async () => {
    const refused = (says: string) => ({ status: 2, stderr: expect.stringContaining(says) });
    await users('create', '--email', 'max@example.com');
    expect(await users('create', '--email', 'MAX@example.com')).toMatchObject(refused('"link" makes a new link'));
    expect(await users('create')).toMatchObject(refused('--email is needed'));
    expect(await users('create', '--email', 'max')).toMatchObject(refused('--email: must be an e-mail address'));
    expect(await users('create', '--email', 'x@y.z', '--role', 'boss')).toMatchObject(refused('--role: '));
    expect(await users('link')).toMatchObject(refused('"list" shows it'));
    expect(await users('link', 'nobody@example.com')).toMatchObject(refused('There is no user nobody@example.com'));
    expect(await users('delete', 'x')).toMatchObject(refused('"delete" is not a command'));
    expect(await users('list', '--nope')).toMatchObject(refused('--nope'));
  });

  it('need a database of a version that has users', async () => {
    const older = join(dataDir, 'older');
    await runUsers(['create', '--email', 'ada@example.com'], { PARLEY_DATA_DIR: older });
    const database = new Sqlite(join(older, 'parley.sqlite'));
    database.exec("DROP TABLE sign_ins; DROP TABLE users; DELETE FROM kysely_migration WHERE name >= '0029'");
    database.close();
    expect(await runUsers(['list'], { PARLEY_DATA_DIR: older })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is of an older version'),
    });
  });
});
