/** The scope that includes all others. It belongs to no resource. */
export const ADMIN = 'admin';

/** @param held the scopes of a key. */
export function allows(held: readonly string[], needed: string, reading: boolean): boolean {
  return held.includes(ADMIN) || held.includes(needed) || (reading && held.includes(`${needed}:read`));
}
