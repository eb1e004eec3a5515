import type { Logger } from '../../runtime/log.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Knowledge } from '../api/knowledge/knowledge.ts';
import type { Vault } from '../access/vault.ts';
import { type EventSender, openEventSender } from '../api/webhooks/event-sender.ts';
import type { EventPost } from '../ports.ts';
import { openRetentionJob } from './retention-job.ts';
import { endInterruptedSessions } from '../sessions/records/interrupted-sessions.ts';
import type { SessionStore } from '../sessions/records/session-store.ts';
import type { JobQueues } from '../jobs/job-queue.ts';
import { reconcileJobs } from '../jobs/reconcile-jobs.ts';
import type { Settings } from '../settings/settings.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Claims } from '../store/claims.ts';
import { removeOrphans } from './orphans.ts';
import { BlobsUnavailableError } from '../store/s3/blobs-unavailable-error.ts';
import type { Store } from '../store/open.ts';
import { sharedClock } from '../store/shared-clock.ts';
import type { VideoQueue } from '../api/videos/video-queue.ts';

/** After this time, another process has written the row of its file. */
const OTHERS_WRITE_MS = 3_600_000;

export interface Housekeeping {
  close(): Promise<void>;
}

/**
 * Tasks of every start: ends the sessions that a crash cut off, deletes half-written files and files without a row. Then,
 * again and again: hands out work that nobody does, and deletes what is older than the retention.
 */
export async function startHousekeeping(options: {
  settings: Settings;
  /** The names of all engines whose sessions end with this process. @defaultValue that of the settings */
  engineIds?: readonly string[];
  store: Store;
  /** Its listeners learn of the sessions that a crash cut off. */
  sessions: Pick<SessionStore, 'tellEnded'>;
  blobs: Blobs;
  /** Whether other processes store files in the same place. */
  sharesFiles: boolean;
  knowledge: Pick<Knowledge, 'resume'>;
  /** Null: there are none here. */
  videos: Pick<VideoQueue, 'resume'> | null;
  jobs: JobQueues;
  log: Logger;
  now: () => number;
  timers: Timers;
  claims: Claims;
  /** Null: this process sends no events. */
  events: { readonly vault: Vault; readonly post: EventPost } | null;
  /** Tells which sessions of a killed process go on in others. @defaultValue none does */
  findLive?: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
}): Promise<Housekeeping> {
  const { settings, store, blobs, sharesFiles, knowledge, videos, jobs, claims, log, now, timers } = options;
  const engines = options.engineIds ?? [settings.PARLEY_ENGINE_ID];
  const sessions = await endInterruptedSessions(options, engines, now(), options.findLive);
  const halfWritten = await blobs.sweep();
  const orphans = await removeOrphans(store, blobs, sharesFiles ? now() - OTHERS_WRITE_MS : Infinity).catch(
    (error: unknown) => {
      if (!(error instanceof BlobsUnavailableError)) throw error;
      return 0;
    },
  );
  const documents = await knowledge.resume();
  if (sessions + halfWritten + orphans + documents > 0)
    log.info({ sessions, halfWritten, orphans, documents }, 'put in order what the last run left');
  await videos?.resume();
  const retention = openRetentionJob({
    store,
    dataDir: settings.PARLEY_DATA_DIR,
    blobs,
    claims,
    jobs: jobs.ofService,
    retentionDays: settings.PARLEY_RETENTION_DAYS,
    now,
    sharedNow: sharedClock(store),
  });
  await retention.add();
  const sender = openSender(options);
  const endReconciling = reconcileJobs(
    [() => knowledge.resume(), async () => videos?.resume(), () => retention.add()],
    { timers, log },
  );
  return {
    async close() {
      endReconciling();
      await Promise.all([retention.close(), sender?.close()]);
    },
  };
}

function openSender({ events, jobs, ...parts }: Parameters<typeof startHousekeeping>[0]): EventSender | null {
  return events === null ? null : openEventSender({ ...parts, ...events, jobs: jobs.ofService });
}
