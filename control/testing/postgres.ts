import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../runtime/testing/free-port.ts';

/** A PostgreSQL for tests: a cluster of its own in a temporary folder, on a loopback port of its own. */
export interface TestPostgres {
  /** Of its first database, in which nobody writes. */
  readonly url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Where Debian keeps the server's programs, newest version first. Null: PostgreSQL is not installed. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  const found = versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? null;
}

export async function startPostgres(): Promise<TestPostgres> {
  const bin = postgresPrograms();
  if (bin === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  // The server refuses to run as root.
  const identity: { uid?: number; gid?: number } = process.getuid?.() === 0 ? postgresUser() : {};
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid!);
  const data = join(folder, 'data');
  const initialized = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'parley', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'],
    { ...identity, encoding: 'utf8' },
  );
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}`);
  const port = await freePort();
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off', '-c', 'max_connections=120'],
    { ...identity, stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => {
    server.on('exit', () => resolve());
  });
  const url = `postgres://parley@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url);
  return {
    url,
    createDatabase: () => createDatabase(url),
    async stop() {
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param url of any database of a server. @returns the URL of a new one, under a name that no other test has. */
export async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt >= 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
