import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DerivedKey } from '../access/master-key.ts';

/** HMAC-SHA-256 by the newest key, base64url. */
export function signatureOf([newest]: readonly DerivedKey[], text: string): string {
  return macOf(newest!, text).toString('base64url');
}

/** Whether one of the keys made this signature. */
export function isSigned(keys: readonly DerivedKey[], text: string, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  return keys.some((key) => {
    const mac = macOf(key, text);
    return given.length === mac.length && timingSafeEqual(given, mac);
  });
}

function macOf({ bytes }: DerivedKey, text: string): Buffer {
  return createHmac('sha256', bytes).update(text).digest();
}
