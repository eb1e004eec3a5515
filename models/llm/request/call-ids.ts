import { createHash, randomInt } from 'node:crypto';

/** Mistral takes only ids of this form, and everybody else takes them, too. */
const LENGTH = 9;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id for a call that came without one. */
export function newCallId(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** @returns the id itself if it has the form, otherwise always the same other one for it. */
export function shortCallId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  const bytes = createHash('sha256').update(id).digest().subarray(0, LENGTH);
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}
