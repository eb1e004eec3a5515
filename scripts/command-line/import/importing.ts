import type { Api } from '../api.ts';

/** What becomes of one thing. */
export type Fate = 'taken' | 'there' | 'changed' | 'left';

/** An import that goes on: where it reads, where it writes, and what it has to tell. */
export interface Importing {
  readonly from: Api;
  readonly to: Api;
  /** Whether what has the same name here is made like there. */
  readonly update: boolean;
  /** @param why for people, where something is lost or has to be done. */
  readonly tell: (fate: Fate, what: string, why?: string) => void;
}

/** Ids there, and what they are here. */
export type Ids = ReadonlyMap<string, string>;

/** @returns the object with these fields, as far as it has them. */
export function only(object: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([field, value]) => fields.includes(field) && value !== undefined),
  );
}
