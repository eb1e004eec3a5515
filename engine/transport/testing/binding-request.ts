import type { IceCredentials } from '../ice/credentials.ts';
import { attribute, sealed, unsealed } from '../ice/stun.ts';

/** The cookie of every STUN message (RFC 8489). */
export const MAGIC = 0x2112a442;

export interface BindingRequestOptions {
  readonly username: string;
  readonly password: string;
  readonly nominate?: boolean;
  readonly priority?: number;
}

/** A connectivity check as a client sends it (RFC 8445), for tests. */
export function bindingRequest({ username, password, nominate, priority }: BindingRequestOptions): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(priority ?? 0);
  const attributes = Buffer.concat([
    attribute(0x0006, Buffer.from(username)),
    ...(priority === undefined ? [] : [attribute(0x0024, value)]),
    ...(nominate ? [attribute(0x0025, Buffer.alloc(0))] : []),
  ]);
  return sealed(unsealed(0x0001, Buffer.from('transaction!'), attributes), password);
}

/** Credentials of a client with this user name. */
export const clientOf = (ufrag: string): IceCredentials => ({ ufrag, password: `password of ${ufrag}` });
