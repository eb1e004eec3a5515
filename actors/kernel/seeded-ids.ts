import { createHmac } from 'node:crypto';
import type { IdSource } from './clock.ts';

/**
 * UUID v4 ids from a seed: the same seed gives the same ids, which is what a replay needs. Each id is a keyed hash of
 * its number, so that nobody can compute other ids from those that were seen, as long as the seed is secret and random.
 *
 * @param seed at least 128 bits from a cryptographic source, as text.
 */
export function seededIds(seed: string): IdSource {
  let count = 0;
  return {
    uuid() {
      count += 1;
      const bytes = createHmac('sha256', seed).update(String(count)).digest().subarray(0, 16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = bytes.toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    secret: (purpose) => createHmac('sha256', seed).update(`secret: ${purpose}`).digest('hex').slice(0, 12),
  };
}
