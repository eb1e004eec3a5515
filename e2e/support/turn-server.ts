import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_TIMEOUT_MS } from '../../engine/testing/test-timeout.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import { codeBlocks } from './code-blocks.ts';

export interface TurnServer {
  /** The URLs of both ways to it, as a setting. */
  readonly urls: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** The secret of the guide's configuration. */
const SECRET = 'a-long-random-secret';
/** Addresses of the guide: of Parley, and any. */
const PARLEY = /^allowed-peer-ip=203\.0\.113\.\d+$/m;
const ADDRESSES = /203\.0\.113\.\d+/g;

export interface TurnServerOptions {
  /** An account instead of the secret, `name:password`. */
  readonly user?: string;
  /** The addresses of the services that it relays to. @defaultValue its own */
  readonly peers?: readonly string[];
  /** The network in which it runs. @defaultValue this machine's own */
  readonly namespace?: string;
}

/**
 * coturn with the configuration of the guide, word for word except for addresses and ports.
 * @param address where it is reached.
 */
export async function startTurnServer(address: string, options: TurnServerOptions = {}): Promise<TurnServer> {
  const { user, peers = [address], namespace } = options;
  const folder = await mkdtemp(join(tmpdir(), 'parley-turn-'));
  const [guide] = codeBlocks(await readFile('docs/guides/networks.md', 'utf8'), 'ini');
  if (!guide?.includes(SECRET)) throw new Error('The guide has no configuration of a TURN server.');
  const port = await freePort();
  const account =
    user === undefined
      ? guide
      : guide.replace(/^use-auth-secret$/m, `lt-cred-mech\nuser=${user}`).replace(/^static-auth-secret.*$/m, '');
  const config = account
    .replace(PARLEY, peers.map((peer) => `allowed-peer-ip=${peer}`).join('\n'))
    .replaceAll(ADDRESSES, address)
    .replace(/^listening-port=.*$/m, `listening-port=${port}`);
  const file = join(folder, 'turnserver.conf');
  await writeFile(
    file,
    `${config}\nuserdb=${join(folder, 'users')}\npidfile=${join(folder, 'pid')}\nlog-file=stdout\n`,
  );
  let output = '';
  const command = ['turnserver', '-c', file];
  // `ip` becomes the server.
  if (namespace !== undefined) command.unshift('ip', 'netns', 'exec', namespace);
  const server = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.once('error', (error) => (output += error.message));
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));

  const stop = async (): Promise<void> => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + TEST_TIMEOUT_MS;
  while (!(await answers(address, port))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`The TURN server does not run:\n${output.slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { urls: `turn:${address}:${port},turn:${address}:${port}?transport=tcp`, secret: SECRET, stop };
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
