import ipaddr from 'ipaddr.js';

/** Addresses that are public by their range and still lead into a cloud's own control network. */
const CLOUD_CONTROL_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The part of IPv6 that is handed out for global unicast; everything else is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address belongs to the public internet. Loopback, private, link-local (cloud metadata), carrier-grade
 * NAT, multicast, documentation and reserved ranges do not, nor does IPv6 that carries an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo): what it reaches depends on a translator.
 * It also runs in pages of browsers, so it uses nothing of Node.
 * @param address IPv4 or IPv6 text without brackets. Anything else is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || CLOUD_CONTROL_ADDRESSES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
