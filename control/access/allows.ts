/** The scope that includes every other. It belongs to no resource. */
export const ADMIN = 'admin';

/** @param held the scopes of a key. */
export function allows(held: readonly string[], needed: string, reading: boolean): boolean {
  return held.includes(ADMIN) || held.includes(needed) || (reading && held.includes(`${needed}:read`));
}
