/** How packets travel between a client and the front. */
export type PathProtocol = 'udp' | 'tcp';

/** An address and port from which packets of a client come to one of ours. Of TCP, it is one connection. */
export interface Address {
  readonly protocol: PathProtocol;
  readonly ip: string;
  readonly port: number;
  readonly family: 4 | 6;
  /** Our address that they come to, as it is bound: the answers leave from there. */
  readonly local: string;
}

/** Senders are objects that stay the same from packet to packet, so their keys need not be made for each. */
const keys = new WeakMap<Address, string>();

/** Key of an address in the front's table. */
export function addressKey(address: Address): string {
  let key = keys.get(address);
  if (key === undefined) {
    key = `${address.protocol}|${address.ip}|${address.port}|${address.local}`;
    keys.set(address, key);
  }
  return key;
}
