import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WHOLE_CHROMIUM } from '../../engine/testing/browser.ts';
import { BLOCK, removeNamespaces, reserveSubnet, useUplink } from './uplink.ts';

const run = promisify(execFile);

/** Each client takes two addresses of the block's last byte, after the router's. */
export const MAX_CLIENTS = 100;

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

/**
 * Makes namespaces for `count` clients, each joined by two virtual cables to the router behind this machine's uplink.
 * Always `close` it.
 */
export async function openTestNetwork(count: number): Promise<TestNetwork> {
  if (count < 1 || count > MAX_CLIENTS) throw new RangeError(`A test network has 1 to ${MAX_CLIENTS} clients.`);
  const scripts = await mkdtemp(join(tmpdir(), 'parley-net-'));
  const namespaces: string[] = [];
  const remove = (): void => removeNamespaces(namespaces);
  process.once('exit', remove);
  const { uplink, close: closeUplink } = await useUplink();
  const { router, serviceAddress, routerAddress, cable } = uplink;
  let route: readonly string[] | undefined;

  async function close(): Promise<void> {
    process.off('exit', remove);
    remove();
    if (route !== undefined) await run('ip', ['route', 'del', ...route]);
    closeUplink();
    await rm(scripts, { recursive: true, force: true });
  }

  try {
    const number = await reserveSubnet(namespaces);
    const subnet = `${BLOCK}.${number}`;
    const way = [`${subnet}.0/24`, 'via', routerAddress, 'dev', cable, 'src', serviceAddress];
    await run('ip', ['route', 'replace', ...way]);
    route = way;
    const clients: ClientNetwork[] = [];
    for (let index = 0; index < count; index++) {
      const namespace = `parley-${number}-${index}`;
      namespaces.push(namespace);
      await run('ip', ['netns', 'add', namespace]);
      clients.push(
        await openClient({
          namespace,
          cable: `py${number}-${index}`,
          router,
          gateway: `${subnet}.1`,
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

async function openClient(options: {
  namespace: string;
  cable: string;
  router: string;
  gateway: string;
  addresses: readonly [string, string];
  scripts: string;
}): Promise<ClientNetwork> {
  const { namespace, cable, router, gateway, addresses } = options;
  const ip = async (...args: readonly string[]): Promise<void> => void (await run('ip', args));
  const exec = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await run('ip', ['netns', 'exec', namespace, program, ...args])).stdout;
  const links = ['a', 'b'] as const;

  const up = async (link: 0 | 1): Promise<void> => {
    const inside = `${cable}${links[link]}i`;
    await ip('-n', namespace, 'link', 'set', inside, 'up');
    const way = ['via', gateway, 'dev', inside, 'onlink', 'src', addresses[link]];
    await ip('-n', namespace, 'route', 'replace', 'default', ...way);
  };

  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  for (const [index, link] of links.entries()) {
    const [outside, inside] = [`${cable}${link}`, `${cable}${link}i`];
    await ip('-n', router, 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace);
    await ip('-n', router, 'addr', 'add', `${gateway}/32`, 'dev', outside);
    await ip('-n', router, 'link', 'set', outside, 'up');
    await ip('-n', router, 'route', 'add', `${addresses[index]}/32`, 'dev', outside);
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
