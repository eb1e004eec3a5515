/**
 * Connections whose other end has not yet shown that it is a client of a session. A client shows it one round trip
 * after it has connected, so the one that has waited longest is the least likely to be one: it goes when there are too
 * many. A flood thus costs a client its connection only if it is faster than the client's round trip.
 */
export class UnverifiedConnections<Connection> {
  /** In order of arrival. */
  readonly #networks = new Map<Connection, string>();
  readonly #byNetwork = new Map<string, Set<Connection>>();

  get count(): number {
    return this.#networks.size;
  }

  /** @param network under which its address counts. @returns the connection that has to go, if any. */
  add(connection: Connection, network: string): Connection | null {
    let neighbors = this.#byNetwork.get(network);
    if (neighbors === undefined) this.#byNetwork.set(network, (neighbors = new Set()));
    neighbors.add(connection);
    this.#networks.set(connection, network);
    if (neighbors.size > MAX_UNVERIFIED_PER_NETWORK) return first(neighbors);
    return this.#networks.size > MAX_UNVERIFIED ? first(this.#networks.keys()) : null;
  }

  /** It has proved itself, or is gone. */
  remove(connection: Connection): void {
    const network = this.#networks.get(connection);
    if (network === undefined) return;
    this.#networks.delete(connection);
    const neighbors = this.#byNetwork.get(network);
    neighbors?.delete(connection);
    if (neighbors?.size === 0) this.#byNetwork.delete(network);
  }
}

/**
 * A session's client makes a few connections at a time, one for each of its networks. Many clients can share one address
 * behind a provider's NAT.
 */
export const MAX_UNVERIFIED_PER_NETWORK = 64;
/** Each takes a file descriptor, of which a process often has 1,024 or 4,096, and some 5 KB. */
export const MAX_UNVERIFIED = 512;

function first<T>(values: Iterable<T>): T | null {
  for (const value of values) return value;
  return null;
}
