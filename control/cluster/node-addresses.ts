import type { DerivedKey } from '../access/master-key.ts';
import type { EngineLeaseOptions } from '../placement/engine-lease.ts';
import { isSigned, signatureOf } from './signature.ts';

/** Keeps the signature of an address from being one of something else. */
const PURPOSE = 'node address ';

/**
 * The addresses under which nodes reach each other, as they are in Redis: each with a signature. Requests of clients go
 * there with their API keys, and whoever can write to Redis must not get them.
 */
export class NodeAddresses {
  readonly #keys: readonly DerivedKey[];

  /** @param keys newest first. */
  constructor(keys: readonly DerivedKey[]) {
    this.#keys = keys;
  }

  /** @param url of this node. @returns what others find in Redis. */
  sign(url: string): string {
    return `${url} ${signatureOf(this.#keys, PURPOSE + url)}`;
  }

  /** @returns the URL; null when no node of this deployment has signed it. */
  read(address: string): string | null {
    const [url = '', signature = ''] = address.split(' ');
    return isSigned(this.#keys, PURPOSE + url, signature) ? url : null;
  }
}

/** @returns an engine as the registry shows it to others. */
export function withSignedAddress(
  { engine, ...rest }: Pick<EngineLeaseOptions, 'engine' | 'places' | 'busy'>,
  addresses: NodeAddresses,
): Pick<EngineLeaseOptions, 'engine' | 'places' | 'busy'> {
  const { id, region, version } = engine;
  return {
    ...rest,
    engine: {
      id,
      region,
      version,
      get url() {
        return addresses.sign(engine.url);
      },
    },
  };
}
