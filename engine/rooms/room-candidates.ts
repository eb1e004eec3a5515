import { isIP } from 'node:net';
import { isPublicAddress } from '../net/public-address.ts';

/** An address where a server wants to be reached: as in SDP, without `a=`. */
export interface CandidateRule {
  /** Whether addresses that are not public may be reached: the operator allowed the server itself. */
  readonly privateAddresses: 'allowed' | 'refused';
}

/** Foundation, component, protocol, priority, address, port, type. */
const CANDIDATE = /^candidate:\S+ \d+ (?<protocol>\S+) \d+ (?<address>\S+) (?<port>\d{1,5}) typ \S+/iu;

/**
 * A server names the addresses to which packets are sent. It must not make this machine send them into the network that
 * it stands in. Names are refused, because they are looked up where nobody checks the address.
 */
export function isUsableCandidate(candidate: string, { privateAddresses }: CandidateRule): boolean {
  const { protocol, address } = CANDIDATE.exec(candidate)?.groups ?? {};
  if (protocol?.toLowerCase() !== 'udp' || address === undefined || isIP(address) === 0) return false;
  return privateAddresses === 'allowed' || isPublicAddress(address);
}

/** @returns the candidates inside of a description. */
export function candidatesIn(sdp: string): string[] {
  return sdp.split(/\r\n|\r|\n/).flatMap((line) => (line.startsWith('a=candidate:') ? [line.slice('a='.length)] : []));
}
