import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DerivedKey } from './master-key.ts';

/**
 * Encrypts secrets with AES-256-GCM. An encrypted secret can be decrypted only for the row for which it was encrypted.
 */
export interface Vault {
  /** @param row id of the row that the secret belongs to. @returns `v1.<key id>.<iv>.<tag>.<ciphertext>`, base64url. */
  close(secret: string, row: string): string;
  /** @throws VaultError when it was tampered with, moved to another row, or encrypted with an unknown key. */
  open(closed: string, row: string): string;
  /** Whether `open` would succeed. */
  opens(closed: string, row: string): boolean;
}

export class VaultError extends Error {
  constructor(reason: string) {
    super(`A stored secret cannot be opened: ${reason}`);
    this.name = 'VaultError';
  }
}

export function openVault(keys: readonly DerivedKey[]): Vault {
  function open(closed: string, row: string): string {
    const [version, id, iv, tag, text] = closed.split('.');
    const key = keys.find((candidate) => candidate.id === id);
    if (version !== 'v1' || iv === undefined || tag === undefined || text === undefined)
      throw new VaultError('it is damaged');
    if (key === undefined) throw new VaultError('the master key has changed');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(row)).setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new VaultError(`it is damaged (${(error as Error).message})`);
    }
  }

  return {
    open,
    opens(closed, row) {
      try {
        open(closed, row);
        return true;
      } catch (error) {
        if (error instanceof VaultError) return false;
        throw error;
      }
    },
    close(secret, row) {
      const key = keys[0]!;
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(row));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return ['v1', key.id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
    },
  };
}
