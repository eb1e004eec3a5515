import type { Logger } from '../engine/log.ts';
import type { Timers } from '../runtime/clock.ts';
import type { Knowledge } from './knowledge/knowledge.ts';
import { lookForDocuments } from './knowledge/look-for-documents.ts';
import { openRetention } from './retention.ts';
import { endInterruptedSessions } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import type { Blobs } from './store/blobs.ts';
import { type Claims, claimsInMemory } from './store/claims.ts';
import { removeOrphans } from './store/orphans.ts';
import { BlobsAwayError } from './store/s3/blobs-away-error.ts';
import type { Store } from './store/open.ts';

/** After this time, another process has written the row of its file. */
const OTHERS_WRITE_MS = 3_600_000;

export interface Housekeeping {
  close(): Promise<void>;
}

/**
 * Tasks of every start: ends the sessions that a crash cut off, deletes half-written files and files without a row. Then,
 * again and again: continues documents that nobody works on, and deletes what is older than the retention.
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
  timers: Timers;
  /** @defaultValue no other process uses the database */
  claims?: Claims;
}): Promise<Housekeeping> {
  const { settings, store, blobs, sharesFiles, knowledge, log, now, timers } = options;
  const claims = options.claims ?? claimsInMemory();
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
  const retention = openRetention({ store, blobs, claims, retentionDays: settings.PARLEY_RETENTION_DAYS, log, now });
  const endLook = lookForDocuments(knowledge, { timers, log });
  return {
    async close() {
      endLook();
      await retention.close();
    },
  };
}
