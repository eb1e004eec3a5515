import type { PathProtocol } from './address.ts';

/** Type preference of host candidates, RFC 8445 section 5.1.2. */
const HOST_PREFERENCE = 126;
/** The same over TCP, as browsers have it: below every UDP candidate that is not relayed (RFC 6544 section 4.2). */
const TCP_HOST_PREFERENCE = 90;
/** Direction preference of a passive candidate, RFC 6544 section 4.2. It stands in the upper three bits of 16. */
const PASSIVE_PREFERENCE = 2 ** 13 * 4;
const MAX_ORDER_PREFERENCE = { udp: 2 ** 16 - 1, tcp: 2 ** 13 - 1 };

/** @param place of the address in the list that clients are told, from 0. */
export function hostPriority(protocol: PathProtocol, place: number): number {
  return protocol === 'udp'
    ? priorityOf(HOST_PREFERENCE, MAX_ORDER_PREFERENCE.udp - place)
    : priorityOf(TCP_HOST_PREFERENCE, PASSIVE_PREFERENCE + MAX_ORDER_PREFERENCE.tcp - place);
}

/** RFC 8445 section 5.1.2.1, for the one component. */
function priorityOf(typePreference: number, localPreference: number): number {
  return 2 ** 24 * typePreference + 2 ** 8 * localPreference + 255;
}

/**
 * Of a pair of one of our candidates and one of the client's, which controls (RFC 8445 section 6.1.2.3).
 * @param theirs what the client's check says (PRIORITY): as if its candidate were peer-reflexive. Its candidates have the
 * same order by it, except relayed ones.
 */
export function pairPriority(protocol: PathProtocol, theirs: number): bigint {
  const [ours, controlling] = [BigInt(hostPriority(protocol, 0)), BigInt(theirs)];
  const [least, most] = ours < controlling ? [ours, controlling] : [controlling, ours];
  return (least << 32n) + 2n * most + (controlling > ours ? 1n : 0n);
}
