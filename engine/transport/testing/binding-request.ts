import { sealed } from '../ice/stun.ts';

/** The cookie of every STUN message (RFC 8489). */
export const MAGIC = 0x2112a442;

export interface BindingRequestOptions {
  readonly username: string;
  readonly password: string;
  readonly nominate?: boolean;
}

/** A connectivity check as a client sends it (RFC 8445), for tests. */
export function bindingRequest({ username, password, nominate }: BindingRequestOptions): Buffer {
  const attributes = Buffer.concat([
    attribute(0x0006, Buffer.from(username)),
    ...(nominate ? [attribute(0x0025, Buffer.alloc(0))] : []),
  ]);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(0x0001, 0);
  header.writeUInt16BE(attributes.length, 2);
  header.writeUInt32BE(MAGIC, 4);
  Buffer.from('transaction!').copy(header, 8);
  return sealed(Buffer.concat([header, attributes]), password);
}

/** One attribute, padded to four bytes. */
export function attribute(type: number, value: Buffer): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
}
