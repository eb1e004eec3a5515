import { randomBytes } from 'node:crypto';

export interface IceCredentials {
  readonly ufrag: string;
  readonly password: string;
}

/**
 * Fresh ICE credentials: 48 and 144 random bits (RFC 8445 asks for at least 24 and 128), hexadecimal so that every
 * character is allowed.
 */
export function freshCredentials(): IceCredentials {
  return { ufrag: randomBytes(6).toString('hex'), password: randomBytes(18).toString('hex') };
}
