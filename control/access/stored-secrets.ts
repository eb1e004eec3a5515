import { StartError } from '../../runtime/start-error.ts';
import type { Store } from '../store/open.ts';
import type { DerivedKey } from './master-key.ts';
import { openVault, VaultError } from './vault.ts';

/** "1 LLM key, 1 tool and 1 MCP server". */
const LIST = new Intl.ListFormat('en-GB');

interface Place {
  /** What one of them is, for people. */
  readonly name: string;
  /** Rows whose secret was not closed with this key. */
  others(store: Store, key: string): Promise<{ readonly id: string; readonly cipher: string }[]>;
  replace(store: Store, id: string, cipher: string): Promise<unknown>;
}

/**
 * Where secrets are stored for as long as their owner wants. Secrets of session tokens and invites expire by
 * themselves.
 */
const PLACES: readonly Place[] = [
  {
    name: 'LLM key',
    others: ({ db }, key) =>
      db
        .selectFrom('llms')
        .select(['id', 'secret_cipher as cipher'])
        .where('secret_cipher', 'not like', `v1.${key}.%`)
        .execute(),
    replace: ({ db }, id, cipher) =>
      db.updateTable('llms').set({ secret_cipher: cipher }).where('id', '=', id).execute(),
  },
  {
    name: 'tool',
    others: ({ db }, key) =>
      db
        .selectFrom('tools')
        .select(['id', 'config_cipher as cipher'])
        .where('config_cipher', 'not like', `v1.${key}.%`)
        .where('deleted_at', 'is', null)
        .execute(),
    replace: ({ db }, id, cipher) =>
      db.updateTable('tools').set({ config_cipher: cipher }).where('id', '=', id).execute(),
  },
  {
    name: 'MCP server',
    others: ({ db }, key) =>
      db
        .selectFrom('mcp_servers')
        .select(['id', 'auth_cipher as cipher'])
        .where('auth_cipher', 'not like', `v1.${key}.%`)
        .execute(),
    replace: ({ db }, id, cipher) =>
      db.updateTable('mcp_servers').set({ auth_cipher: cipher }).where('id', '=', id).execute(),
  },
  {
    name: 'webhook secret',
    others: ({ db }, key) =>
      db
        .selectFrom('webhooks')
        .select(['id', 'secret_cipher as cipher'])
        .where('secret_cipher', 'not like', `v1.${key}.%`)
        .execute(),
    replace: ({ db }, id, cipher) =>
      db.updateTable('webhooks').set({ secret_cipher: cipher }).where('id', '=', id).execute(),
  },
];

/**
 * What is due at a start about the master key: nothing stored may need one that is not here, and what an earlier one
 * closed is closed anew with the present one, so that the earlier one can be put away.
 * @param keys newest first. @param lost ids of keys that the operator has given up.
 * @returns how many secrets were closed anew. @throws StartError when a key is missing that is not lost.
 */
export async function takeOverSecrets(
  store: Store,
  keys: readonly DerivedKey[],
  lost: readonly string[],
): Promise<number> {
  const present = keys[0]!.id;
  const found = await Promise.all(PLACES.map(async (place) => ({ place, rows: await place.others(store, present) })));
  const missing = found.map(({ place, rows }) => ({
    name: place.name,
    ids: rows
      .map(({ cipher }) => keyOf(cipher))
      .filter((id) => id !== null && !lost.includes(id) && !keys.some((key) => key.id === id)),
  }));
  const missingIds = [...new Set(missing.flatMap(({ ids }) => ids))];
  if (missingIds.length > 0)
    throw new StartError(
      advice(
        missing.map(({ name, ids }) => counted(ids.length, name)).filter((text) => text !== null),
        missingIds.join(','),
      ),
    );

  const vault = openVault(keys);
  let renewed = 0;
  for (const { place, rows } of found) {
    for (const { id, cipher } of rows) {
      const secret = opened(() => vault.open(cipher, id));
      if (secret === null) continue;
      await place.replace(store, id, vault.close(secret, id));
      renewed += 1;
    }
  }
  return renewed;
}

/** @returns the id of the key that encrypted it, or null when it is damaged. */
function keyOf(cipher: string): string | null {
  const [version, id] = cipher.split('.');
  return version === 'v1' && id !== undefined ? id : null;
}

function opened(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

function counted(count: number, name: string): string | null {
  return count === 0 ? null : `${count} ${name}${count === 1 ? '' : 's'}`;
}

function advice(closed: readonly string[], ids: string): string {
  return (
    `PARLEY_MASTER_KEY: this is not the master key that closed ${LIST.format(closed)} in the database. ` +
    'Start with that one: as PARLEY_MASTER_KEY, as master.key in the data folder, or, if it is to be changed, as PARLEY_PREVIOUS_MASTER_KEY. ' +
    `If it is lost, start with PARLEY_LOST_MASTER_KEYS=${ids}: what it closed is then listed as unreadable until it is entered again.`
  );
}
