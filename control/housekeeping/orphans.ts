import { PHOTOS } from '../api/avatars/photos-in-blobs.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';

/** Files whose rows are looked for at a time. */
const STEP = 500;

/** Which of these files a row names, by their kind. */
const NAMED: Readonly<Record<string, (store: Store, keys: readonly string[]) => Promise<readonly (string | null)[]>>> =
  {
    documents: async ({ db }, keys) =>
      (await db.selectFrom('knowledge_documents').select('blob_key').where('blob_key', 'in', keys).execute()).map(
        (row) => row.blob_key,
      ),
    videos: async ({ db }, keys) =>
      (await db.selectFrom('avatar_videos').select('blob_key').where('blob_key', 'in', keys).execute()).map(
        (row) => row.blob_key,
      ),
    photos: async ({ db }, keys) => {
      const engineKeys = keys.map((key) => key.slice(PHOTOS.length + 1));
      const rows = db.selectFrom('avatars').select('engine_key').where('engine_key', 'in', engineKeys);
      return (await rows.execute()).map((row) => `${PHOTOS}/${row.engine_key}`);
    },
    recordings: async ({ db }, keys) =>
      (await db.selectFrom('recordings').select('path').where('path', 'in', keys).execute()).map((row) => row.path),
  };

/**
 * Deletes files that no row names: a file is written before its row, so nobody was told of them. Or the row was deleted
 * elsewhere before the file was sent.
 * @param writtenBefore ms since the epoch: later ones may still get their row. @returns how many files.
 */
export async function removeOrphans(store: Store, blobs: Blobs, writtenBefore: number): Promise<number> {
  let removed = 0;
  for (const [kind, namedOf] of Object.entries(NAMED)) {
    const keys = await blobs.list(kind, writtenBefore);
    for (let from = 0; from < keys.length; from += STEP) {
      const some = keys.slice(from, from + STEP);
      const named = new Set(await namedOf(store, some));
      const orphans = some.filter((key) => !named.has(key));
      for (const key of orphans) await blobs.remove(key);
      removed += orphans.length;
    }
  }
  return removed;
}
