/** Hosts that an operator lets the service reach although they are not public, for development. */
export interface PrivateHosts {
  allows(hostname: string, port: number): boolean;
}

export const NO_PRIVATE_HOSTS: PrivateHosts = { allows: () => false };

/** @param entries `host` or `host:port`, IPv6 in brackets. Without a port every port of that host is allowed. */
export function privateHosts(entries: readonly string[]): PrivateHosts {
  const allowed = new Set(entries.map((entry) => entry.toLowerCase()));
  return {
    allows(hostname, port) {
      const bare = plainHostname(hostname);
      const host = bare.includes(':') ? `[${bare}]` : bare;
      return allowed.has(host) || allowed.has(`${host}:${port}`);
    },
  };
}

/** Lower case, without the brackets of IPv6 and without the dot that ends a fully qualified name. */
export function plainHostname(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
