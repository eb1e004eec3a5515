import { flushCompileCache } from 'node:module';
import { systemTimers } from '../../runtime/clock.ts';
import { embeddedJobs } from '../jobs/open-jobs.ts';
import { startHousekeeping } from '../housekeeping/housekeeping.ts';
import { readSettings } from '../settings/settings.ts';
import { claimsInMemory } from '../store/claims.ts';
import { openStore } from '../store/open.ts';
import { startTestService } from './service.ts';

/** For a script that `startKillable` runs: serves in this process until it is killed, and prints the address. */
export async function serveUntilKilled(
  dataDir: string,
  databaseUrl: string | undefined,
  options: Pick<NonNullable<Parameters<typeof startTestService>[1]>, 'realTime' | 'ports' | 'settings'> = {},
): Promise<void> {
  const store = await openStore({ dataDir, databaseUrl });
  const service = await startTestService(store, { dataDir, ...options });
  await startHousekeeping({
    settings: readSettings({ PARLEY_DATA_DIR: dataDir }),
    store,
    sessions: service.sessions,
    blobs: service.blobs,
    sharesFiles: false,
    knowledge: service.knowledge,
    videos: null,
    jobs: embeddedJobs({ timers: systemTimers, log: service.app.log }),
    claims: claimsInMemory(),
    events: null,
    log: service.app.log as never,
    now: Date.now,
    timers: systemTimers,
  });
  // Node keeps it at a normal exit only: each start of a test compiled everything anew.
  flushCompileCache();
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`${JSON.stringify({ url, key: service.key })}\n`);
}
