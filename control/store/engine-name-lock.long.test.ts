import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { lockEngineName } from './engine-name-lock.ts';

const log = pino({ level: 'silent' });

/**
 * Several services share one PostgreSQL. At its start, each closes what a crash left under its own name, so no two may
 * have the same name.
 */
describe.skipIf(postgresPrograms() === null)('the name of an engine in a shared database', () => {
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server.stop());

  async function holder(name: string): Promise<ChildProcess> {
    const module = fileURLToPath(new URL('engine-name-lock.ts', import.meta.url));
    const program = `const { lockEngineName } = await import(${JSON.stringify(module)}); await lockEngineName(${JSON.stringify(url)}, ${JSON.stringify(name)}, console); console.log('held');`;
    const child = spawn(
      process.execPath,
      ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout!, 'data');
    return child;
  }

  const holders = async (): Promise<number[]> => {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and granted",
    );
    await client.end();
    return rows.map(({ pid }) => pid);
  };

  it('is one process’s until that one stops', async () => {
    const first = await lockEngineName(url, 'main', log);
    await expect(lockEngineName(url, 'main', log)).rejects.toThrow(
      'another Parley named "main" is running on this database',
    );
    const second = await lockEngineName(url, 'other', log);
    await Promise.all([first.release(), second.release()]);
    await (await lockEngineName(url, 'main', log)).release();
  });

  it('is free again when its process was killed', async () => {
    const child = await holder('killed');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockEngineName(url, 'killed', log)).release();
  });

  it('is taken again after the connection broke', async () => {
    const held = await lockEngineName(url, 'lasting', log);
    const [before] = await holders();
    const client = new Client(url);
    await client.connect();
    await client.query('select pg_terminate_backend($1)', [before]);
    await client.end();
    await expect.poll(async () => (await holders()).filter((pid) => pid !== before).length, { interval: 100 }).toBe(1);
    await expect(lockEngineName(url, 'lasting', log)).rejects.toThrow('another Parley');
    await held.release();
    expect(await holders()).toEqual([]);
  });

  it('says when the database does not answer', async () => {
    await expect(lockEngineName('postgres://127.0.0.1:1/parley', 'main', log)).rejects.toThrow(
      'DATABASE_URL: the database does not answer',
    );
  });
});
