import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import { guardedNode } from './guarded-node.ts';
import { shareFirstStart } from './share-first-start.ts';

export interface RunningService {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Resolves with its exit status; null: a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The number of its UDP port, and of its TCP port for media. */
  readonly mediaPort: number;
  /** Everything the process wrote, for assertions about logs and for a failing test's message. */
  output(): string;
  /** @returns the parsed body; throws with the body when the status is not 2xx. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  /** SIGKILL, with its guard, as when the machine is gone. The data directory stays. */
  kill(): Promise<void>;
  /** The same, and its guard stays and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** What most tests use of it. */
export type ServiceAccess = Pick<RunningService, 'url' | 'apiKey' | 'api'>;

/**
 * Without what is said to the tests: a service refuses what is not a setting, and each night all tests of one failed.
 */
const OWN_ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_TEST_')),
);

/**
 * Settings for services whose users only type. PocketSphinx, which takes a second of a core for each start, then stands
 * in for another recognizer, and starts when somebody speaks.
 */
export const WITHOUT_RECOGNIZER = { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: 'http://127.0.0.1:9/v1' };

/** Services that a test has started and not stopped, to examine when it fails. */
export const runningServices = new Set<RunningService>();

/**
 * Starts the real service as its own process, the way the README does, on free ports and an empty data directory.
 * `host`: the address where it listens, for HTTP and media. @defaultValue the loopback interface. `namespace`: the
 * network in which it runs. @defaultValue this machine's own. `port`: of HTTP. @defaultValue a free one.
 * `readyWithinMs`
 * @defaultValue the time of a test
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')));
  await shareFirstStart(dataDir);
  const port = options.port ?? (await freePort());
  const apiKey = options.env?.['PARLEY_API_KEY'] ?? `test-${randomBytes(24).toString('hex')}`;
  const mediaPort = await freePort();
  const url = `http://${options.host ?? '127.0.0.1'}:${port}`;
  const child = launch(options, environmentOf(options, { dataDir, port, mediaPort, apiKey }));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (status) => resolve(status)));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await untilReady(child, url, { withinMs: options.readyWithinMs ?? TEST_TIMEOUT_MS, output: () => output });

  const service: RunningService = {
    url,
    apiKey,
    dataDir,
    pid: child.pid ?? -1,
    exited,
    mediaPort,
    output: () => output,
    api: (method, path, body) => callApi(url, apiKey, { method, path, body }),
    async kill() {
      const node = await guardedNode(child.pid!);
      child.kill('SIGKILL');
      if (node !== null) process.kill(node, 'SIGKILL');
      await exited;
    },
    async crash() {
      const node = await guardedNode(child.pid!);
      if (node === null) throw new Error('This service has no guard.');
      process.kill(node, 'SIGKILL');
    },
    async stop() {
      child.kill('SIGTERM');
      // With its node, which would go on writing while its folder is deleted.
      const forced = setTimeout(() => void service.kill(), TEST_TIMEOUT_MS);
      await exited;
      clearTimeout(forced);
      runningServices.delete(service);
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  runningServices.add(service);
  return service;
}

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly dataDir?: string;
  readonly host?: string;
  readonly namespace?: string;
  readonly port?: number;
  readonly readyWithinMs?: number;
}

function environmentOf(
  { host, env }: ServiceOptions,
  own: { readonly dataDir: string; readonly port: number; readonly mediaPort: number; readonly apiKey: string },
): NodeJS.ProcessEnv {
  return {
    ...OWN_ENVIRONMENT,
    ORT_DISABLE_TELEMETRY: '1',
    PORT: String(own.port),
    PARLEY_UDP_PORT: String(own.mediaPort),
    PARLEY_DATA_DIR: own.dataDir,
    PARLEY_API_KEY: own.apiKey,
    // A machine that runs browsers beside the service is busy: tests of something else must not be refused for that.
    PARLEY_MAX_SESSIONS: '20',
    // Most tests look at one process, also on a machine with many cores.
    PARLEY_ENGINES: '1',
    // It would take minutes of the cores on which everything else is tested, for conversations of seconds.
    PARLEY_DRAW_AHEAD: 'off',
    ...(host === undefined ? {} : { PARLEY_HOST: host, PARLEY_PUBLIC_IP: host }),
    ...env,
  };
}

function launch({ namespace }: ServiceOptions, env: NodeJS.ProcessEnv): ChildProcessByStdio<null, Readable, Readable> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', 'scripts/parley.ts'];
  // `ip` becomes the service: signals reach it.
  if (namespace !== undefined) command.unshift('ip', 'netns', 'exec', namespace);
  return spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], env });
}

/** @throws when it ends before, or takes too long: then it is killed. */
async function untilReady(
  child: ChildProcess,
  url: string,
  { withinMs, output }: { readonly withinMs: number; readonly output: () => string },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode}:\n${output()}`);
    const ready = await fetch(`${url}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return;
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The service was not ready within ${withinMs} ms:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function callApi<T>(
  url: string,
  apiKey: string,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: unknown },
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}
