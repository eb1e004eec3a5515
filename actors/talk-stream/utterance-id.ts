import type { IdSource } from '../kernel/clock.ts';

const CANONICAL_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** @returns the client's id, or a fresh one in place of anything but a lower-case UUID v4 (contract). */
export function canonicalUtteranceId(id: string, ids: IdSource): string {
  return CANONICAL_V4.test(id) ? id : ids.uuid();
}
