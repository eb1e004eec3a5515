import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/testing/free-port.ts';

/** A Redis for tests: a process of its own on a loopback port of its own. It stores nothing on disk. */
export interface PrivateRedis {
  readonly url: string;
  /** Kills it, and starts an empty one on the same port. */
  restart(): Promise<void>;
  /** Kills it. `restart` brings it back. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** @param password of the default user. @defaultValue none. @param host the address where it listens. */
export async function startPrivateRedis(password?: string, host = '127.0.0.1'): Promise<PrivateRedis> {
  if (!hasRedis()) throw new Error('Redis is not installed: apt-get install redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', host, '--save', '', '--appendonly', 'no', '--dir', folder];
  // Other addresses than the loopback interface need a password otherwise.
  if (host !== '127.0.0.1') options.push('--protected-mode', 'no');
  let server = await start();

  async function start() {
    const secret = password === undefined ? [] : ['--requirepass', password];
    // It may outlive a test whose beginning failed: with the error stream of the tests, their run never ended.
    const process = spawn('redis-server', [...options, ...secret], { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of process.stdout) if (String(line).includes('Ready to accept connections')) break;
    // Nobody reads on, and a full pipe would stop it.
    process.stdout.destroy();
    return process;
  }
  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }
  return {
    url: `redis://${password === undefined ? '' : `:${password}@`}${host}:${port}`,
    kill,
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
