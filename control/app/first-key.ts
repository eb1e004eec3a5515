import { createApiKey, organizationNamed } from '../access/api-keys.ts';
import { hashOf } from '../access/credential-cache.ts';
import { SCOPES } from '../api/scopes.ts';
import type { Store } from '../store/open.ts';

export const DEFAULT_ORGANIZATION = 'default';

/**
 * Ensures that somebody can use the service: the default organization exists, and a key of it with all scopes.
 * @param known the key of `PARLEY_API_KEY`, or null. @param now ms since the epoch.
 * @returns a new key, to be shown once, or null if a key exists already.
 */
export async function ensureFirstKey(store: Store, known: string | null, now: number): Promise<string | null> {
  const organizationId = await organizationNamed(store, DEFAULT_ORGANIZATION, now);
  const key = { organizationId, scopes: SCOPES, now };
  if (known !== null) {
    const existing = await store.db
      .selectFrom('api_keys')
      .select(['id', 'revoked_at'])
      .where('hash', '=', hashOf(known))
      .executeTakeFirst();
    if (existing === undefined) await createApiKey(store, { ...key, name: 'PARLEY_API_KEY', key: known });
    // The operator decides: a key in the settings works.
    else if (existing.revoked_at !== null)
      await store.db
        .updateTable('api_keys')
        .set({ revoked_at: null, tokens_revoked: 0 })
        .where('id', '=', existing.id)
        .execute();
    return null;
  }
  const any = await store.db.selectFrom('api_keys').select('id').where('revoked_at', 'is', null).executeTakeFirst();
  return any === undefined ? (await createApiKey(store, { ...key, name: 'first key' })).key : null;
}
