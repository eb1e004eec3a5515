import { execFile, execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WHOLE_CHROMIUM } from '../../engine/testing/browser.ts';

const run = promisify(execFile);

/** Reserved for network tests (RFC 2544): they hide no real host. */
export const BLOCK = '198.18';
/** Each client takes two addresses of the block's last byte, after the service's own. */
export const MAX_CLIENTS = 100;
/** Of 256 numbers, some are in use. */
const RESERVATION_ATTEMPTS = 50;

/** What is cut: UDP (a firewall, a NAT that forgot), one TCP port, or everything (Wi-Fi out of reach). */
export type Cut = 'udp' | 'everything' | { readonly tcpPort: number };

/** One machine of a user: a network namespace with two paths to the service, of which one is up. */
export interface ClientNetwork {
  /** Starts a program inside, for `launchBrowser`. */
  readonly chromium: string;
  /** Runs a program inside. */
  exec(program: string, ...args: readonly string[]): Promise<string>;
  /** Drops silently in both directions: no error reaches either side. */
  cut(what: Cut): Promise<void>;
  restore(): Promise<void>;
  /** From Wi-Fi to cellular, or back: the current path goes down, and the other one comes up with another address. */
  switchLink(): Promise<void>;
}

export interface TestNetwork {
  /** Where the service listens; every client reaches it here. */
  readonly serviceAddress: string;
  readonly clients: readonly ClientNetwork[];
  close(): Promise<void>;
}

/** @returns why networks cannot be made here; null when they can. They need root, `ip` and `iptables`. */
export function networkObstacle(): string | null {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const probe = `parley-probe-${randomBytes(3).toString('hex')}`;
  try {
    execFileSync('ip', ['netns', 'add', probe], { stdio: 'pipe' });
    execFileSync('ip', ['netns', 'exec', probe, 'iptables', '-A', 'OUTPUT', '-p', 'udp', '-j', 'DROP'], {
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    return `no network namespace can be made: ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`;
  } finally {
    try {
      execFileSync('ip', ['netns', 'del', probe], { stdio: 'pipe' });
    } catch {
      // It was never made.
    }
  }
}

/** Makes namespaces for `count` clients, each joined to this machine by two virtual cables. Always `close` it. */
export async function openTestNetwork(count: number): Promise<TestNetwork> {
  if (count < 1 || count > MAX_CLIENTS) throw new RangeError(`A test network has 1 to ${MAX_CLIENTS} clients.`);
  const scripts = await mkdtemp(join(tmpdir(), 'parley-net-'));
  const namespaces: string[] = [];
  /** Deleting a namespace takes its ends of the cables with it, and so the other ends, their addresses and routes. */
  const remove = (): void => {
    for (const namespace of namespaces.splice(0)) {
      try {
        execFileSync('ip', ['netns', 'del', namespace], { stdio: 'pipe' });
      } catch {
        // Gone already.
      }
    }
  };
  process.once('exit', remove);

  async function close(): Promise<void> {
    process.off('exit', remove);
    remove();
    await rm(scripts, { recursive: true, force: true });
  }

  try {
    const number = await reserveSubnet(namespaces);
    const subnet = `${BLOCK}.${number}`;
    const serviceAddress = `${subnet}.1`;
    const clients: ClientNetwork[] = [];
    for (let index = 0; index < count; index++) {
      const namespace = `parley-${number}-${index}`;
      namespaces.push(namespace);
      await run('ip', ['netns', 'add', namespace]);
      clients.push(
        await openClient({
          namespace,
          cable: `py${number}-${index}`,
          serviceAddress,
          addresses: [`${subnet}.${2 + 2 * index}`, `${subnet}.${3 + 2 * index}`],
          scripts,
        }),
      );
    }
    return { serviceAddress, clients, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Test files run side by side, and other runs of the tests may be under way: a number that no other network has. A
 * namespace can be made only once, so its name is the reservation. @param namespaces gets that name, to be removed.
 */
export async function reserveSubnet(namespaces: string[]): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const number = randomInt(256);
    try {
      await run('ip', ['netns', 'add', `parley-${number}`]);
      namespaces.push(`parley-${number}`);
      return number;
    } catch (error) {
      if (attempt === RESERVATION_ATTEMPTS) throw error;
    }
  }
}

async function openClient(options: {
  namespace: string;
  cable: string;
  serviceAddress: string;
  addresses: readonly [string, string];
  scripts: string;
}): Promise<ClientNetwork> {
  const { namespace, cable, serviceAddress, addresses } = options;
  const ip = async (...args: readonly string[]): Promise<void> => void (await run('ip', args));
  const exec = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await run('ip', ['netns', 'exec', namespace, program, ...args])).stdout;
  const links = ['a', 'b'] as const;

  const up = async (link: 0 | 1): Promise<void> => {
    const inside = `${cable}${links[link]}i`;
    await ip('-n', namespace, 'link', 'set', inside, 'up');
    await ip('-n', namespace, 'route', 'replace', serviceAddress, 'dev', inside, 'src', addresses[link]);
    await ip('-n', namespace, 'route', 'replace', 'default', 'via', serviceAddress, 'dev', inside, 'onlink');
  };

  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  for (const [index, link] of links.entries()) {
    const [outside, inside] = [`${cable}${link}`, `${cable}${link}i`];
    await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace);
    await ip('addr', 'add', `${serviceAddress}/32`, 'dev', outside);
    await ip('link', 'set', outside, 'up');
    // The service answers from the address that its clients know, whichever cable the answer takes.
    await ip('route', 'add', `${addresses[index]}/32`, 'dev', outside, 'src', serviceAddress);
    await ip('-n', namespace, 'addr', 'add', `${addresses[index]}/32`, 'dev', inside);
  }
  let inUse: 0 | 1 = 0;
  await up(inUse);

  const chromium = join(options.scripts, namespace);
  await writeFile(chromium, `#!/bin/sh\nexec ip netns exec ${namespace} "${WHOLE_CHROMIUM}" "$@"\n`);
  await chmod(chromium, 0o755);

  return {
    chromium,
    exec,
    async cut(what) {
      const { out, back } = trafficOf(what);
      await exec('iptables', '-A', 'OUTPUT', ...out, '-j', 'DROP');
      await exec('iptables', '-A', 'INPUT', ...back, '-j', 'DROP');
    },
    async restore() {
      await exec('iptables', '-F');
    },
    async switchLink() {
      await ip('-n', namespace, 'link', 'set', `${cable}${links[inUse]}i`, 'down');
      inUse = inUse === 0 ? 1 : 0;
      await up(inUse);
    },
  };
}

/** What the packets have in common that a cut takes, as `iptables` is told. */
function trafficOf(what: Cut): { readonly out: readonly string[]; readonly back: readonly string[] } {
  if (what === 'udp') return { out: ['-p', 'udp'], back: ['-p', 'udp'] };
  if (what === 'everything') return { out: ['!', '-o', 'lo'], back: ['!', '-i', 'lo'] };
  const port = String(what.tcpPort);
  return { out: ['-p', 'tcp', '--dport', port], back: ['-p', 'tcp', '--sport', port] };
}
