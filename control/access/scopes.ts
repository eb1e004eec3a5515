/** What an API key may do: one scope per resource. `name:read` limits a scope to reading. */
export const SCOPES = [
  'personas',
  'tools',
  'voices',
  'avatars',
  'llms',
  'knowledge',
  'sessions',
  'session-tokens',
  'share-links',
  'avatar-videos',
  'meetings',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of a new key unless others are named: keys do not gain meetings or administration by accident. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'meetings' && scope !== 'admin');

/** @returns whether a text is a scope, with or without `:read`. */
export function isScope(text: string): boolean {
  return (SCOPES as readonly string[]).includes(text.replace(/:read$/, ''));
}

/** @param held the scopes of a key. `admin` includes every other. */
export function allows(held: readonly string[], needed: Scope, reading: boolean): boolean {
  return held.includes('admin') || held.includes(needed) || (reading && held.includes(`${needed}:read`));
}
