import type { Store } from '../../store/open.ts';
import type { PersonaVersionRow } from '../../store/tables.ts';

type Publisher = Pick<PersonaVersionRow, 'api_key_id' | 'user_id'>;

export interface PublishedBy {
  readonly kind: 'user' | 'api-key';
  /** Null: they were deleted. */
  readonly name: string | null;
}

/** Looks up who made each of some versions live. Null: nobody has noted it. */
export async function publishersOf(
  { db }: Store,
  versions: readonly Publisher[],
): Promise<(version: Publisher) => PublishedBy | null> {
  const userIds = idsOf(versions, 'user_id');
  const keyIds = idsOf(versions, 'api_key_id');
  const [users, keys] = await Promise.all([
    userIds.length === 0 ? [] : db.selectFrom('users').select(['id', 'name']).where('id', 'in', userIds).execute(),
    keyIds.length === 0 ? [] : db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', keyIds).execute(),
  ]);
  const names = new Map([...users, ...keys].map(({ id, name }) => [id, name]));
  return ({ api_key_id: keyId, user_id: userId }) => {
    const id = userId ?? keyId;
    if (id === null) return null;
    return { kind: userId === null ? 'api-key' : 'user', name: names.get(id) ?? null };
  };
}

function idsOf(versions: readonly Publisher[], column: keyof Publisher): string[] {
  return [...new Set(versions.flatMap(({ [column]: id }) => (id === null ? [] : [id])))];
}
