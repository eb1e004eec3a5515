import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { BLOCK, reserveSubnet } from './uplink.ts';

const run = promisify(execFile);

/** A network in which a service can run, and the way there, which takes time. */
export interface SlowNetwork {
  readonly namespace: string;
  /** Of the service. This machine reaches it from all of its own addresses. */
  readonly address: string;
  /** Of this machine, where the service sees it. */
  readonly ownAddress: string;
  close(): Promise<void>;
}

/**
 * The kernel may have no netem, so a program carries the packets: UDP and TCP alike, in order, without loss. Needs what
 * `networkObstacle` tells, and Python. Always `close` it.
 * @param delayMs each way.
 */
export async function openSlowNetwork(delayMs: number): Promise<SlowNetwork> {
  const namespaces: string[] = [];
  const number = await reserveSubnet(namespaces);
  const namespace = namespaces[0]!;
  const [ownAddress, address] = [`${BLOCK}.${number}.1`, `${BLOCK}.${number}.2`];
  await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  const cable = spawn(
    'python3',
    ['e2e/support/delay-packets.py', `pd${number}`, `pd${number}f`, namespace, ownAddress, address, String(delayMs)],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let errors = '';
  cable.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const remove = (): void => {
    process.off('exit', remove);
    cable.kill('SIGKILL');
    try {
      execFileSync('ip', ['netns', 'del', namespace], { stdio: 'pipe' });
    } catch {
      // Gone already.
    }
  };
  process.once('exit', remove);
  const ended = once(cable, 'exit');
  await Promise.race([
    once(cable.stdout, 'data'),
    ended.then(() => {
      remove();
      throw new Error(`There is no slow network: ${errors}`);
    }),
  ]);
  return {
    namespace,
    address,
    ownAddress,
    async close() {
      remove();
      await ended;
    },
  };
}
