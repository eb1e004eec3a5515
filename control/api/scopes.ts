import { ADMIN } from '../access/allows.ts';
import { scopesOf } from '../http/resource.ts';
import { RESOURCES } from './resources.ts';

const scopes = scopesOf(RESOURCES);

/** What an API key may do. `name:read` limits a scope to reading. */
export const SCOPES: readonly string[] = [...scopes.map(({ name }) => name), ADMIN];

/** Scopes of a new key unless others are named. */
export const DEFAULT_SCOPES: readonly string[] = scopes.filter(({ byDefault }) => byDefault).map(({ name }) => name);

/** @returns whether a text is a scope, with or without `:read`. */
export function isScope(text: string): boolean {
  return SCOPES.includes(text.replace(/:read$/, ''));
}
