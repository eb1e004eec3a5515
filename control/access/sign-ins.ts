import { randomBytes, randomUUID } from 'node:crypto';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import type { Store } from '../store/open.ts';
import type { Caller } from './caller.ts';
import { hashOf, CredentialCache } from './credential-cache.ts';
import { scopesOfRole } from './roles.ts';

/** Tells the token of a sign-in from an API key, which begins so once in 2^42 times. */
const PREFIX = 'parley_signin_';

const HOUR_MS = 3_600_000;
/** Who does nothing for so long signs in again: a working day passes, and what stays open over night is closed. */
export const SIGN_IN_IDLE_MS = 12 * HOUR_MS;
/** Who comes every day signs in again after this time. */
export const SIGN_IN_MS = 14 * 24 * HOUR_MS;

export interface NewSignIn {
  /** Stored nowhere. */
  readonly token: string;
  readonly expiresAt: string;
}

/** Who signed in, by tokens that are used as API keys are. Only their hashes are stored. */
export class SignIns extends CredentialCache {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    super(now);
    this.#store = store;
    this.#now = now;
  }

  async begin(userId: string): Promise<NewSignIn> {
    const { db } = this.#store;
    const now = this.#now();
    const [at, expiresAt] = [isoTime(now), isoTime(now + SIGN_IN_MS)];
    const token = PREFIX + randomBytes(32).toString('base64url');
    const row = { id: randomUUID(), user_id: userId, hash: hashOf(token), created_at: at, last_used_at: at };
    await this.#store.atomically([
      db.insertInto('sign_ins').values({ ...row, expires_at: expiresAt }),
      db.updateTable('users').set({ last_sign_in_at: at }).where('id', '=', userId),
    ]);
    return { token, expiresAt };
  }

  async end(signInId: string): Promise<void> {
    await this.#store.db.deleteFrom('sign_ins').where('id', '=', signInId).execute();
    this.forget((caller) => caller.kind === 'user' && caller.signInId === signInId);
  }

  protected async find(hash: string): Promise<Caller | null> {
    const { db } = this.#store;
    const now = this.#now();
    const row = await this.#store.findOne(
      db
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .innerJoin('organizations', 'organizations.id', 'users.organization_id')
        .select(['sign_ins.id', 'sign_ins.user_id'])
        .select(['users.organization_id', 'users.role', 'organizations.entitlements_json'])
        .where('sign_ins.hash', '=', hash)
        .where('sign_ins.expires_at', '>', isoTime(now))
        .where('sign_ins.last_used_at', '>', isoTime(now - SIGN_IN_IDLE_MS))
        .where('users.disabled_at', 'is', null),
    );
    if (row === undefined) return null;
    this.noteUse(row.id, (at) =>
      db.updateTable('sign_ins').set({ last_used_at: at }).where('id', '=', row.id).execute(),
    );
    return {
      kind: 'user',
      organizationId: row.organization_id,
      apiKeyId: null,
      userId: row.user_id,
      role: row.role,
      signInId: row.id,
      scopes: scopesOfRole(row.role),
      entitlements: JSON.parse(row.entitlements_json),
    };
  }
}

/** A statement that ends all sign-ins of a user. @param but the one that goes on. */
export function endSignIns({ db }: Store, userId: string, but: string | null = null) {
  const all = db.deleteFrom('sign_ins').where('user_id', '=', userId);
  return but === null ? all : all.where('id', '!=', but);
}

export function isSignInToken(bearer: string): boolean {
  return bearer.startsWith(PREFIX);
}
