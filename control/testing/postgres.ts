import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../runtime/testing/free-port.ts';

/** A PostgreSQL for tests: a cluster of its own in a temporary folder, on a port of its own. */
export interface TestPostgres {
  /** Of its first database, in which nobody writes. */
  readonly url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** A server that belongs to one test. */
export interface OwnPostgres extends TestPostgres {
  /** Ends all connections as an administrator does, and starts it again with what it has stored. */
  restart(): Promise<void>;
}

/** Where Debian keeps the server's programs, newest version first. Null: PostgreSQL is not installed. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  const found = versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? null;
}

/**
 * Nothing outlives a test. A vacuum that looks at the database which others copy lets their copies fail, and takes time
 * of the tests.
 */
const SETTINGS = ['fsync=off', 'autovacuum=off', 'max_connections=120'];

/** @param host the address where it listens. Who reaches it there needs no password. */
export async function startPostgres(host = '127.0.0.1'): Promise<OwnPostgres> {
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
  appendFileSync(join(data, 'pg_hba.conf'), '\nhost all all samenet trust\n');
  const port = await freePort();
  const url = `postgres://parley@${host}:${port}/postgres`;
  let server = await start();

  async function start() {
    const process = spawn(
      join(bin!, 'postgres'),
      ['-D', data, '-p', String(port), '-h', host, '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])],
      { ...identity, stdio: 'ignore' },
    );
    const exited = new Promise<void>((resolve) => {
      process.on('exit', () => resolve());
    });
    await untilItAnswers(url, process);
    return { process, exited };
  }
  async function end(): Promise<void> {
    server.process.kill('SIGINT');
    await server.exited;
  }
  return {
    url,
    createDatabase: () => createDatabase(url),
    async restart() {
      await end();
      server = await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param url of any database of a server.
 * @param of what the new one holds: the name of another database that nobody uses; empty without it. Its files are
 * copied: the other way, through the log, took 20 ms of processor time more.
 * @returns the URL of a new one, under a name that no other test has.
 */
export async function createDatabase(url: string, of?: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client(url);
  await client.connect();
  await client.query(`create database ${name}${of === undefined ? '' : ` template ${of} strategy file_copy`}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

/** However long it takes on a busy machine. @throws the last refusal, when the server has ended. */
async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
