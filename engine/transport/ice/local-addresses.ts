import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Where clients reach this machine: IP addresses, best first. */
export interface Reachable {
  readonly publicAddresses: readonly string[];
  /**
   * Addresses of this machine that are offered for browsers on it, by UDP: Firefox pairs nothing with a loopback address.
   * Packets from other machines are dropped there. @defaultValue none
   */
  readonly ownMachineAddresses?: readonly string[] | undefined;
}

/** An address to bind. */
export interface LocalAddress {
  readonly ip: string;
  readonly family: 4 | 6;
  /** Addresses of senders whose packets are taken; null: all. */
  readonly senders: ReadonlySet<string> | null;
}

/**
 * Which local addresses to bind. Each address that clients are told has a socket of its own if this machine has it: a
 * socket of all addresses answers from the one that the route back prefers, and a client ignores what comes from another
 * address than it wrote to. Only addresses that a router translates need the wildcard.
 * @param own the addresses of this machine. @throws Error when an address is not an IP address, or there is none.
 */
export function localAddresses(
  { publicAddresses, ownMachineAddresses = [] }: Reachable,
  own = machineAddresses(),
): LocalAddress[] {
  if (publicAddresses.length === 0) throw new Error('The transport needs at least one public IP address.');
  const isOwn = (ip: string): boolean => own.includes(ip) || isLoopback(ip);
  const told = [...new Set(publicAddresses)].map((ip) => ({ ip, family: familyOf(ip) }));
  const local = told.map(({ ip, family }) => {
    const isTranslated = told.some((other) => other.family === family && !isOwn(other.ip));
    return { ip: isTranslated ? (family === 4 ? '0.0.0.0' : '::') : ip, family, senders: null };
  });
  const bound = local.filter(({ ip }, i) => local.findIndex((other) => other.ip === ip) === i);
  const senders = new Set(own);
  const near = ownMachineAddresses.map((ip) => ({ ip, family: familyOf(ip), senders }));
  return [...bound, ...near];
}

/** @returns the addresses of all interfaces that are up. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

/** All of 127.0.0.0/8 can be bound, though the interface has only one of them. */
export function isLoopback(ip: string): boolean {
  return ip === '::1' || (isIPv4(ip) && ip.startsWith('127.'));
}

function familyOf(ip: string): 4 | 6 {
  if (isIPv4(ip)) return 4;
  if (isIPv6(ip)) return 6;
  throw new Error(`The public address "${ip}" is not an IP address.`);
}
