import { randomBytes, randomUUID } from 'node:crypto';
import type { Store } from '../store/open.ts';
import type { Caller } from './caller.ts';
import { hashOf, CredentialCache } from './credential-cache.ts';

export interface ApiKeySummary {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** What an organization may use unless it was created with less. */
export const ENTITLEMENTS = ['zero-data-retention', 'early-access', 'strict-region'] as const;

/** Looks up keys by their hash. Only hashes are stored. */
export class ApiKeys extends CredentialCache {
  readonly #store: Store;

  constructor(store: Store, now: () => number) {
    super(now);
    this.#store = store;
  }

  protected async find(hash: string): Promise<Caller | null> {
    const { db } = this.#store;
    const row = await this.#store.findOne(
      db
        .selectFrom('api_keys')
        .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
        .select(['api_keys.id', 'api_keys.organization_id', 'api_keys.scopes_json', 'organizations.entitlements_json'])
        .where('api_keys.hash', '=', hash)
        .where('api_keys.revoked_at', 'is', null),
    );
    if (row === undefined) return null;
    this.noteUse(row.id, (at) =>
      db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', row.id).execute(),
    );
    return {
      kind: 'key',
      organizationId: row.organization_id,
      apiKeyId: row.id,
      userId: null,
      scopes: JSON.parse(row.scopes_json),
      entitlements: JSON.parse(row.entitlements_json),
    };
  }
}

/** @param key null makes a random one. @returns the key, which is stored nowhere and shown only here. */
export async function createApiKey(
  store: Store,
  options: { organizationId: string; name: string; scopes: readonly string[]; key?: string | null; now: number },
): Promise<{ id: string; key: string }> {
  const key = options.key ?? `parley_${randomBytes(32).toString('base64url')}`;
  const id = randomUUID();
  await store.db
    .insertInto('api_keys')
    .values({
      id,
      organization_id: options.organizationId,
      name: options.name,
      hash: hashOf(key),
      scopes_json: JSON.stringify(options.scopes),
      created_at: new Date(options.now).toISOString(),
      last_used_at: null,
      revoked_at: null,
      tokens_revoked: 0,
    })
    .execute();
  return { id, key };
}

/** @param organizationId absent: the keys of all organizations. @returns the oldest first. */
export async function listApiKeys(store: Store, organizationId?: string): Promise<ApiKeySummary[]> {
  const all = store.db.selectFrom('api_keys');
  const rows = await (organizationId === undefined ? all : all.where('organization_id', '=', organizationId))
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .selectAll('api_keys')
    .select('organizations.name as organization_name')
    .orderBy('api_keys.created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    name: row.name,
    scopes: JSON.parse(row.scopes_json),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }));
}

/** @param withTokens also ends the session tokens that the key minted. @returns false when there is no such key. */
export async function revokeApiKey(
  store: Store,
  id: string,
  options: { withTokens: boolean; now: number },
): Promise<boolean> {
  const result = await store.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date(options.now).toISOString(), tokens_revoked: options.withTokens ? 1 : 0 })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns the organization of this name; it is created if there is none. */
export async function organizationNamed(
  store: Store,
  name: string,
  now: number,
  entitlements: readonly string[] = ENTITLEMENTS,
): Promise<string> {
  const found = await store.db.selectFrom('organizations').select('id').where('name', '=', name).executeTakeFirst();
  if (found !== undefined) return found.id;
  const id = randomUUID();
  await store.db
    .insertInto('organizations')
    .values({ id, name, entitlements_json: JSON.stringify(entitlements), created_at: new Date(now).toISOString() })
    .execute();
  return id;
}
