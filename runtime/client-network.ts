import ipaddr from 'ipaddr.js';

/** A site gets at least this much of IPv6 (RFC 6177). So its 2^64 addresses count as one. */
const IPV6_SITE_PARTS = 4;

/** @returns under what a client is counted by its address: the address itself, for IPv6 the network of its site. */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6'
    ? `${(address as ipaddr.IPv6).parts
        .slice(0, IPV6_SITE_PARTS)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
