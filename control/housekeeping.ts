import type { Logger } from '../engine/log.ts';
import type { Knowledge } from './knowledge/knowledge.ts';
import { openRetention } from './retention.ts';
import { endInterruptedSessions } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import type { Blobs } from './store/blobs.ts';
import type { Store } from './store/open.ts';

export interface Housekeeping {
  close(): Promise<void>;
}

/**
 * Tasks of every start, which are then repeated: ends the sessions that a crash cut off, deletes half-written files and
 * files without a row, continues unfinished documents, and deletes what is older than the retention.
 */
export async function keepHouse(options: {
  settings: Settings;
  store: Store;
  blobs: Blobs;
  knowledge: Knowledge;
  log: Logger;
  now: () => number;
}): Promise<Housekeeping> {
  const { settings, store, blobs, knowledge, log, now } = options;
  const sessions = await endInterruptedSessions(store, settings.PARLEY_ENGINE_ID, now());
  const halfWritten = await blobs.sweep();
  const orphans = await removeOrphans(store, blobs);
  const documents = await knowledge.resume();
  if (sessions + halfWritten + orphans + documents > 0)
    log.info({ sessions, halfWritten, orphans, documents }, 'put in order what the last run left');
  const retention = openRetention({ store, blobs, retentionDays: settings.PARLEY_RETENTION_DAYS, log, now });
  return { close: () => retention.close() };
}

/** A file is written before its row. If the row is missing, nobody was told of the file. */
async function removeOrphans(store: Store, blobs: Blobs): Promise<number> {
  const keys = await blobs.list('documents');
  if (keys.length === 0) return 0;
  const rows = await store.db.selectFrom('knowledge_documents').select('blob_key').execute();
  const known = new Set(rows.map((row) => row.blob_key));
  const orphans = keys.filter((key) => !known.has(key));
  for (const key of orphans) await blobs.remove(key);
  return orphans.length;
}
