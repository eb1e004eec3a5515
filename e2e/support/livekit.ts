import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import type { LivekitTools } from '../../runtime/testing/livekit-tools.ts';

const KEY = 'devkey';
const SECRET = 'secret-of-at-least-32-characters-xx';

export interface LivekitServer {
  readonly url: string;
  /** For programs that use LiveKit's SDKs. */
  readonly env: Readonly<Record<string, string>>;
  /** It dies, and another one takes its ports: it knows nobody. @param awayMs meanwhile, there is none. */
  restart(awayMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** A LiveKit server on the loopback interface alone. */
export async function startLivekitServer({ server }: Pick<LivekitTools, 'server'>): Promise<LivekitServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-livekit-'));
  const [port, udpPort, nowhere] = [await freePort(), await freePort(), await freePort()];
  const config = {
    port,
    bind_addresses: ['127.0.0.1'],
    rtc: {
      // Else TCP 7881 listens on all addresses.
      tcp_port: 0,
      udp_port: udpPort,
      use_external_ip: false,
      node_ip: '127.0.0.1',
      enable_loopback_candidate: true,
      interfaces: { includes: ['lo'] },
      // Else every client is told public STUN servers.
      stun_servers: [`127.0.0.1:${nowhere}`],
    },
    // Else no receiver can tell which sound belongs to which picture.
    room: { sync_streams: true },
    keys: { [KEY]: SECRET },
    logging: { level: 'error' },
  };
  // YAML is a superset of JSON.
  const file = join(folder, 'livekit.yaml');
  await writeFile(file, JSON.stringify(config));
  let child = await open();

  async function open(): Promise<ChildProcess> {
    const opened = spawn(server, ['--config', file], { stdio: 'ignore' });
    await until(async () => {
      if (!(await fetch(`http://127.0.0.1:${port}/`)).ok) throw new Error('The LiveKit server is not ready.');
    });
    return opened;
  }
  async function kill(): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const url = `ws://127.0.0.1:${port}`;
  return {
    url,
    env: { LIVEKIT_URL: url, LIVEKIT_API_KEY: KEY, LIVEKIT_API_SECRET: SECRET },
    async restart(awayMs = 0) {
      await kill();
      await pause(awayMs);
      child = await open();
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

const LOOK_EVERY_MS = 20;

/** As `eventually`, for benches, too: those run without vitest. @throws the last failure after `TEST_TIMEOUT_MS` */
async function until<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (const deadline = performance.now() + TEST_TIMEOUT_MS; ; await pause(LOOK_EVERY_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

/** What happens in a room, as `e2e/livekit/room.mjs` and `agent.py` tell it. `at`: ms since the epoch. */
export interface RoomEvent extends Readonly<Record<string, unknown>> {
  readonly event: string;
  readonly at: number;
}

export interface RoomProgram {
  readonly events: readonly RoomEvent[];
  /** Everything that it wrote. */
  output(): string;
  command(line: string): void;
  /** Waits for one more event of this name. @throws with the output when none comes, or the program ends before. */
  next(event: string): Promise<RoomEvent>;
  close(): Promise<void>;
}

/** Runs a program in the project that has LiveKit's packages. @param program in `e2e/livekit`, or with its whole path */
export async function runInRoom(
  { project, python }: LivekitTools,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<RoomProgram> {
  const source = resolve(import.meta.dirname, '../livekit', program);
  // Node finds packages from where a program stands. A name of its own: other tests run the same one.
  const copy = join(project, `${process.pid}-${Math.random().toString(36).slice(2)}-${basename(program)}`);
  await cp(source, copy);
  const [command, ...args] = program.endsWith('.mjs')
    ? [process.execPath, copy]
    : [python!, copy, 'dev', '--no-reload'];
  const child = spawn(command!, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const events: RoomEvent[] = [];
  const taken = new Map<string, number>();
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const event = eventOf(line);
    if (event !== null) events.push(event);
  });
  const exited = once(child, 'exit');
  return {
    events,
    output: () => output,
    command: (line) => void child.stdin.write(`${line}\n`),
    async next(name) {
      const seen = taken.get(name) ?? 0;
      const found = await until(() => {
        const event = events.filter((one) => one.event === name)[seen];
        if (event === undefined) throw new Error(`No event "${name}" came:\n${output}`);
        return event;
      });
      taken.set(name, seen + 1);
      return found;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      await rm(copy, { force: true });
    },
  };
}

function eventOf(line: string): RoomEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent = typeof value === 'object' && value !== null && 'event' in value && 'at' in value;
    return isEvent ? (value as RoomEvent) : null;
  } catch {
    return null;
  }
}
