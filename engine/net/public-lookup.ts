import { type lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { PublicUrlError } from './public-url.ts';

/** Looks a host up for a connection. A name of which any address is not public fails with PublicUrlError. */
export function publicLookup(resolve: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const first = addresses?.[0];
      if (error !== null) return callback(error, '');
      if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(notPublic(), '');
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

export function notPublic(): PublicUrlError {
  return new PublicUrlError('not-public', 'The host is not on the public internet.');
}
