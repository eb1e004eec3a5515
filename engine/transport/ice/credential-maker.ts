import { createHmac, randomBytes } from 'node:crypto';
import type { IceCredentials } from './credentials.ts';
import { isAuthentic, type BindingRequest } from './stun.ts';

const UFRAG_BYTES = 6;
/** Hexadecimal characters of 144 bits. */
const PASSWORD_LENGTH = 36;

/**
 * ICE credentials whose password follows from the user name and a key. So whoever has the key can answer a check without
 * knowing its session: a process that was started again knows the clients of the one before it.
 */
export class IceCredentialMaker {
  readonly #key: Buffer;

  /** @param key 32 bytes, the same in all processes that may answer for each other. @defaultValue a key of this object */
  constructor(key: Buffer = randomBytes(32)) {
    this.#key = key;
  }

  /**
   * Fresh ones: 48 random bits, and 144 that nobody can guess without the key (RFC 8445 asks for at least 24 and 128),
   * hexadecimal so that every character is allowed.
   */
  make(): IceCredentials {
    const ufrag = randomBytes(UFRAG_BYTES).toString('hex');
    return { ufrag, password: this.#passwordOf(ufrag) };
  }

  /** @returns the password of a check whose credentials were made with this key; null: they were not, or it is forged. */
  passwordOf(request: BindingRequest): string | null {
    const password = this.#passwordOf(request.localUfrag);
    return isAuthentic(request, password) ? password : null;
  }

  #passwordOf(ufrag: string): string {
    return createHmac('sha256', this.#key).update(ufrag).digest('hex').slice(0, PASSWORD_LENGTH);
  }
}
