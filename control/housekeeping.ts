import type { Logger } from '../engine/log.ts';
import type { Knowledge } from './knowledge/knowledge.ts';
import { openRetention } from './retention.ts';
import { endInterruptedSessions } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import type { Blobs } from './store/blobs.ts';
import { removeOrphans } from './store/orphans.ts';
import { BlobsAwayError } from './store/s3/blobs-away-error.ts';
import type { Store } from './store/open.ts';

/** After this time, another process has written the row of its file. */
const OTHERS_WRITE_MS = 3_600_000;

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
  /** Whether other processes store files in the same place. */
  sharesFiles: boolean;
  knowledge: Knowledge;
  log: Logger;
  now: () => number;
}): Promise<Housekeeping> {
  const { settings, store, blobs, sharesFiles, knowledge, log, now } = options;
  const sessions = await endInterruptedSessions(store, settings.PARLEY_ENGINE_ID, now());
  const halfWritten = await blobs.sweep();
  const orphans = await removeOrphans(store, blobs, sharesFiles ? now() - OTHERS_WRITE_MS : Infinity).catch(
    (error: unknown) => {
      if (!(error instanceof BlobsAwayError)) throw error;
      return 0;
    },
  );
  const documents = await knowledge.resume();
  if (sessions + halfWritten + orphans + documents > 0)
    log.info({ sessions, halfWritten, orphans, documents }, 'put in order what the last run left');
  const retention = openRetention({ store, blobs, retentionDays: settings.PARLEY_RETENTION_DAYS, log, now });
  return { close: () => retention.close() };
}
