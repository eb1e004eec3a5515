import type { JobQueue, Outcome } from '../jobs/job-queue.ts';
import { type Expiry, deleteExpired } from './retention.ts';
import type { Claims } from '../store/claims.ts';
import type { SharedClock } from '../store/shared-clock.ts';

/**
 * How often old data is deleted in the whole service, ms. Data that expires while the service is stopped is deleted at
 * its next start, or within this time of it.
 */
const EVERY_MS = 3_600_000;
const NAME = 'retention';

interface Options extends Expiry {
  readonly claims: Claims;
  readonly jobs: JobQueue;
  readonly sharedNow: SharedClock;
}

export interface RetentionJob {
  /** Adds the job, for the time when it is due. */
  add(): Promise<void>;
  /** Ends after the step that runs. */
  close(): Promise<void>;
}

/** Deletes old data once in each interval, whichever process does it. When that was is in the database. */
export function openRetentionJob(options: Options): RetentionJob {
  const { store, jobs, claims, sharedNow } = options;
  const stopping = new AbortController();

  async function dueInMs(): Promise<number> {
    const last = await store.db.selectFrom('job_runs').select('ran_at').where('name', '=', NAME).executeTakeFirst();
    if (last === undefined) return 0;
    return Math.min(EVERY_MS, Math.max(0, Date.parse(last.ran_at) + EVERY_MS - (await sharedNow())));
  }
  async function run(): Promise<Outcome> {
    const claim = await claims.take(NAME);
    // Another process is at it.
    if (claim === null) return;
    try {
      const wait = await dueInMs();
      if (wait > 0 || stopping.signal.aborted) return { againInMs: Math.max(wait, 1_000) };
      await deleteExpired(options, AbortSignal.any([claim.lost, stopping.signal]));
      const ran = { ran_at: new Date(await sharedNow()).toISOString() };
      await store.db
        .insertInto('job_runs')
        .values({ name: NAME, ...ran })
        .onConflict((row) => row.column('name').doUpdateSet(ran))
        .execute();
      return { againInMs: EVERY_MS };
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      return { againInMs: 1_000 };
    } finally {
      await claim.release();
    }
  }

  jobs.process('retention', 1, run);
  return {
    add: async () => jobs.add('retention', NAME, await dueInMs()),
    async close() {
      stopping.abort(new Error('The service is stopping.'));
      await jobs.idle('retention');
    },
  };
}
