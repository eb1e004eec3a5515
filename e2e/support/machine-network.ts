import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { BLOCK, reserveSubnet } from './uplink.ts';

const run = promisify(execFile);

const ip = async (...args: readonly string[]): Promise<void> => void (await run('ip', args));

/** A machine of a cluster: a network namespace with one cable to a switch. */
export interface Machine {
  readonly namespace: string;
  readonly address: string;
  /** Drops silently what goes to this address and what comes from there. */
  cutOffFrom(address: string): Promise<void>;
  /** Ends all that. */
  reconnect(): Promise<void>;
}

/** An address of this machine that the machines of a cluster do not reach. */
export interface Outside {
  readonly address: string;
  /** From now on this one does. */
  reach(machine: Machine): Promise<void>;
}

/** Machines of a cluster that reach each other, and this machine, through one switch. */
export interface MachineNetwork {
  /** Of this machine, where databases and clients are. */
  readonly ownAddress: string;
  readonly outside: Outside;
  readonly machines: readonly Machine[];
  close(): void;
}

/** The other half of the block that is reserved for such networks (RFC 2544). */
const OUTSIDE_BLOCK = '198.19';

/** The first machine's last byte; this machine has the one before. */
const FIRST = 2;

/** Needs what `networkObstacle` tells. Always `close` it. */
export async function openMachineNetwork(count: number): Promise<MachineNetwork> {
  const namespaces: string[] = [];
  /** Deleting a namespace takes its ends of the cables with it, and so the other ends. */
  const close = (): void => {
    process.off('exit', close);
    for (const namespace of namespaces.splice(0)) {
      try {
        execFileSync('ip', ['netns', 'del', namespace], { stdio: 'pipe' });
      } catch {
        // Gone already.
      }
    }
  };
  process.once('exit', close);

  try {
    const number = await reserveSubnet(namespaces);
    const hub = `parley-${number}`;
    const subnet = `${BLOCK}.${number}`;
    await openSwitch(hub);
    const ownAddress = `${subnet}.${FIRST - 1}`;
    const own = `pm${number}`;
    await plugIn(hub, [], own, ownAddress);
    const outside = `${OUTSIDE_BLOCK}.${number}.1`;
    await ip('addr', 'add', `${outside}/32`, 'dev', own);
    const machines: Machine[] = [];
    for (let index = 0; index < count; index += 1) {
      const namespace = `parley-${number}-${index}`;
      namespaces.push(namespace);
      const address = `${subnet}.${FIRST + index}`;
      machines.push(await openMachine(hub, namespace, { cable: `pm${number}-${index}`, address }));
    }
    return {
      ownAddress,
      outside: {
        address: outside,
        reach: ({ namespace }) => ip('-n', namespace, 'route', 'add', outside, 'via', ownAddress),
      },
      machines,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The switch has a namespace of its own, so that no firewall of this machine sees what passes through it. */
async function openSwitch(hub: string): Promise<void> {
  await ip('-n', hub, 'link', 'add', 'switch', 'type', 'bridge');
  await ip('-n', hub, 'link', 'set', 'switch', 'up');
}

/** A cable from the switch. @param inside `-n` and a namespace, or nothing for this machine. */
async function plugIn(hub: string, inside: readonly string[], name: string, address: string): Promise<void> {
  await ip('-n', hub, 'link', 'add', `s${name}`, 'type', 'veth', 'peer', 'name', name);
  await ip('-n', hub, 'link', 'set', name, 'netns', inside[1] ?? String(process.pid));
  await ip('-n', hub, 'link', 'set', `s${name}`, 'master', 'switch', 'up');
  await ip(...inside, 'addr', 'add', `${address}/24`, 'dev', name);
  await ip(...inside, 'link', 'set', name, 'up');
}

async function openMachine(
  hub: string,
  namespace: string,
  { cable, address }: { readonly cable: string; readonly address: string },
): Promise<Machine> {
  await ip('netns', 'add', namespace);
  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  await plugIn(hub, ['-n', namespace], cable, address);
  const iptables = (...args: readonly string[]): Promise<void> => ip('netns', 'exec', namespace, 'iptables', ...args);
  return {
    namespace,
    address,
    async cutOffFrom(other) {
      await iptables('-A', 'OUTPUT', '-d', other, '-j', 'DROP');
      await iptables('-A', 'INPUT', '-s', other, '-j', 'DROP');
    },
    reconnect: () => iptables('-F'),
  };
}
