import { execFile, execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = async (...args: readonly string[]): Promise<void> => void (await run('ip', args));

/** Set during a run of the tests: the uplink of all its networks, as JSON. */
export const UPLINK = 'E2E_UPLINK';

/** Reserved for network tests (RFC 2544): they hide no real host. */
export const BLOCK = '198.18';
/** Of 256 numbers, some are in use. */
const RESERVATION_ATTEMPTS = 50;

/**
 * The cable between this machine and a router in a namespace, behind which test networks come and go: a browser of this
 * machine gives up its requests whenever the machine gets or loses an address (ERR_NETWORK_CHANGED).
 */
export interface Uplink {
  /** The namespace of the router. */
  readonly router: string;
  /** Of this machine, where services listen. */
  readonly serviceAddress: string;
  /** Of the router, at the cable. */
  readonly routerAddress: string;
  /** This machine's end of the cable. */
  readonly cable: string;
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

/** Deletes namespaces, and with their ends of cables the other ends, their addresses and routes. */
export function removeNamespaces(namespaces: string[]): void {
  for (const namespace of namespaces.splice(0)) {
    try {
      execFileSync('ip', ['netns', 'del', namespace], { stdio: 'pipe' });
    } catch {
      // Gone already.
    }
  }
}

/** @returns the uplink, and what removes it: call it, always. */
export async function openUplink(): Promise<{ uplink: Uplink; close: () => void }> {
  const namespaces: string[] = [];
  const close = (): void => {
    process.off('exit', close);
    removeNamespaces(namespaces);
  };
  process.once('exit', close);
  try {
    const number = await reserveSubnet(namespaces);
    const router = namespaces[0]!;
    const [serviceAddress, routerAddress] = [`${BLOCK}.${number}.1`, `${BLOCK}.${number}.2`];
    const cable = `pu${number}`;
    await ip('-n', router, 'link', 'set', 'lo', 'up');
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'uplink', 'netns', router);
    await ip('addr', 'add', serviceAddress, 'peer', routerAddress, 'dev', cable);
    await ip('-n', router, 'addr', 'add', routerAddress, 'peer', serviceAddress, 'dev', 'uplink');
    await ip('link', 'set', cable, 'up');
    await ip('-n', router, 'link', 'set', 'uplink', 'up');
    await ip('netns', 'exec', router, 'sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward');
    return { uplink: { router, serviceAddress, routerAddress, cable }, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** That of the run, or a new one outside of a run. `close` it: what others use stays. */
export async function useUplink(): Promise<{ uplink: Uplink; close: () => void }> {
  const shared = process.env[UPLINK];
  return shared === undefined ? openUplink() : { uplink: JSON.parse(shared) as Uplink, close: () => {} };
}
