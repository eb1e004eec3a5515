import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import type { IceCredentials } from './credentials.ts';

/**
 * The part of STUN (RFC 8489) that an ICE-lite agent needs: reading binding requests, checking that their sender knows
 * the password, and answering or refusing them. And the one request of its own (`revocation.ts`).
 */

const MAGIC_COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;
const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const ERROR_CODE = 0x0009;
const XOR_MAPPED_ADDRESS = 0x0020;
const PRIORITY = 0x0024;
const USE_CANDIDATE = 0x0025;
const ICE_CONTROLLED = 0x8029;
/** Of a peer-reflexive candidate (RFC 8445, section 5.1.2.1). */
const PEER_REFLEXIVE_PRIORITY = ((110 << 24) | (65_535 << 8) | 255) >>> 0;
const FINGERPRINT = 0x8028;
/** Fixed by the RFC so that a STUN checksum never equals the CRC of the same bytes. */
const FINGERPRINT_XOR = 0x5354554e;
const INTEGRITY_ATTRIBUTE_BYTES = 24;
const FINGERPRINT_ATTRIBUTE_BYTES = 8;

export interface BindingRequest {
  readonly transactionId: Buffer;
  /** `<our ufrag>:<their ufrag>`, split. */
  readonly localUfrag: string;
  readonly remoteUfrag: string;
  /** The controlling side has chosen this pair. */
  readonly nominates: boolean;
  /** Of the client's candidate, as if it were peer-reflexive; 0: it does not say. */
  readonly priority: number;
  /** The datagram up to MESSAGE-INTEGRITY (not included), and the code in that attribute. */
  readonly signed: Buffer;
  readonly integrity: Buffer;
}

/** Whether a datagram is STUN rather than DTLS or RTP (RFC 7983: the first byte tells). */
export function isStun(datagram: Buffer): boolean {
  return datagram.length >= HEADER_BYTES && datagram[0]! < 4 && datagram.readUInt32BE(4) === MAGIC_COOKIE;
}

/**
 * @returns null for anything but a well-formed binding request with a username, an integrity code and, if present, a
 * right checksum.
 */
export function parseBindingRequest(datagram: Buffer): BindingRequest | null {
  if (!isStun(datagram) || datagram.readUInt16BE(0) !== BINDING_REQUEST) return null;
  const end = HEADER_BYTES + datagram.readUInt16BE(2);
  if (end !== datagram.length || end % 4 !== 0) return null;
  let ufrags: readonly string[] = [];
  let nominates = false;
  let priority = 0;
  let integrityAt = -1;
  let offset = HEADER_BYTES;
  while (offset + 4 <= end) {
    const type = datagram.readUInt16BE(offset);
    const length = datagram.readUInt16BE(offset + 2);
    const value = datagram.subarray(offset + 4, offset + 4 + length);
    if (value.length !== length) return null;
    if (type === FINGERPRINT && (length !== 4 || value.readUInt32BE(0) !== fingerprint(datagram.subarray(0, offset))))
      return null;
    // Only the checksum may follow the integrity code; other attributes there are not protected and must be ignored.
    if (integrityAt < 0) {
      if (type === USERNAME) ufrags = value.toString('utf8').split(':');
      else if (type === USE_CANDIDATE) nominates = true;
      else if (type === PRIORITY && length === 4) priority = value.readUInt32BE(0);
      else if (type === MESSAGE_INTEGRITY && length === 20) integrityAt = offset;
    }
    offset += 4 + ((length + 3) & ~3);
  }
  const [localUfrag, remoteUfrag = ''] = ufrags;
  if (!localUfrag || integrityAt < 0) return null;
  return {
    transactionId: datagram.subarray(8, 20),
    localUfrag,
    remoteUfrag,
    nominates,
    priority,
    signed: datagram.subarray(0, integrityAt),
    integrity: datagram.subarray(integrityAt + 4, integrityAt + 24),
  };
}

/** Whether the sender of the request knows the password of our credentials. */
export function isAuthentic(request: BindingRequest, password: string): boolean {
  return timingSafeEqual(integrity(request.signed, password), request.integrity);
}

/** The answer to an authenticated request: the sender's own address as we see it. */
export function bindingSuccess(request: BindingRequest, address: string, port: number, password: string): Buffer {
  const mapped = xorMappedAddress(address, port, request.transactionId);
  const { transactionId } = request;
  return sealed(unsealed(BINDING_SUCCESS, transactionId, attribute(XOR_MAPPED_ADDRESS, mapped)), password);
}

/**
 * Sends a client away: its connection between these two addresses is over. libwebrtc takes code 400 for that: it gives
 * the connection up at once, and ICE has failed when it has no other one (measured with Chromium: 85 ms after the
 * refusal; without MESSAGE-INTEGRITY it ignores the refusal and notices after 5 s). It repeats its check after 401, 420
 * and 500. 60 bytes: checks of real clients have 68 and more.
 * @param password of the credentials that the request was made with.
 */
export function bindingRefusal({ transactionId }: Pick<BindingRequest, 'transactionId'>, password: string): Buffer {
  // 400 Bad Request: the class is in one byte, the rest in the next. There is no reason phrase.
  const code = Buffer.from([0, 0, 4, 0]);
  return sealed(unsealed(BINDING_ERROR, transactionId, attribute(ERROR_CODE, code)), password);
}

/**
 * A check of our own, as the agent that does not control sends it. @param transactionId 12 bytes that nobody can guess.
 * @param ours, theirs the credentials of both sides: it is signed with the client's.
 */
export function bindingCheck(transactionId: Buffer, ours: IceCredentials, theirs: IceCredentials): Buffer {
  const priority = Buffer.alloc(4);
  priority.writeUInt32BE(PEER_REFLEXIVE_PRIORITY);
  const attributes = Buffer.concat([
    attribute(USERNAME, Buffer.from(`${theirs.ufrag}:${ours.ufrag}`)),
    attribute(PRIORITY, priority),
    // Its value decides only between two agents that both want to control.
    attribute(ICE_CONTROLLED, Buffer.alloc(8)),
  ]);
  return sealed(unsealed(BINDING_REQUEST, transactionId, attributes), theirs.password);
}

/** Whether this datagram answers the request with this transaction id. */
export function isBindingSuccess(datagram: Buffer, transactionId: Buffer): boolean {
  return (
    isStun(datagram) &&
    datagram.readUInt16BE(0) === BINDING_SUCCESS &&
    datagram.subarray(8, HEADER_BYTES).equals(transactionId)
  );
}

/** A message as it is before `sealed`. @param attributes see `attribute`. */
export function unsealed(type: number, transactionId: Buffer, attributes: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(attributes.length, 2);
  header.writeUInt32BE(MAGIC_COOKIE, 4);
  transactionId.copy(header, 8);
  return Buffer.concat([header, attributes]);
}

/** One attribute, padded to four bytes. */
export function attribute(type: number, value: Buffer): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
}

/** Appends MESSAGE-INTEGRITY and FINGERPRINT. Each of them covers a length field that already counts it. */
export function sealed(unsigned: Buffer, password: string): Buffer {
  const message = Buffer.alloc(unsigned.length + INTEGRITY_ATTRIBUTE_BYTES + FINGERPRINT_ATTRIBUTE_BYTES);
  unsigned.copy(message);
  let offset = unsigned.length;
  const code = integrity(unsigned, password);
  message.writeUInt16BE(MESSAGE_INTEGRITY, offset);
  message.writeUInt16BE(code.length, offset + 2);
  code.copy(message, offset + 4);
  offset += INTEGRITY_ATTRIBUTE_BYTES;
  message.writeUInt16BE(message.length - HEADER_BYTES, 2);
  message.writeUInt16BE(FINGERPRINT, offset);
  message.writeUInt16BE(4, offset + 2);
  message.writeUInt32BE(fingerprint(message.subarray(0, offset)), offset + 4);
  return message;
}

/** HMAC-SHA1 over the message, with a length field that counts up to and including the code itself. */
function integrity(signed: Buffer, password: string): Buffer {
  const covered = Buffer.from(signed);
  covered.writeUInt16BE(signed.length - HEADER_BYTES + INTEGRITY_ATTRIBUTE_BYTES, 2);
  return createHmac('sha1', password).update(covered).digest();
}

function fingerprint(covered: Buffer): number {
  return (crc32(covered) ^ FINGERPRINT_XOR) >>> 0;
}

function xorMappedAddress(address: string, port: number, transactionId: Buffer): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const key = Buffer.alloc(16);
  key.writeUInt32BE(MAGIC_COOKIE, 0);
  transactionId.copy(key, 4);
  const value = Buffer.alloc(4 + bytes.length);
  value[1] = bytes.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2);
  for (let i = 0; i < bytes.length; i++) value[4 + i] = bytes[i]! ^ key[i]!;
  return value;
}
