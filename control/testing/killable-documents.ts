import pino from 'pino';
import { systemTimers } from '../../runtime/clock.ts';
import { closeJobs, openJobs } from '../jobs/open-jobs.ts';
import { reconcileJobs } from '../jobs/reconcile-jobs.ts';
import { Knowledge } from '../api/knowledge/knowledge.ts';
import { openBlobs } from '../store/blobs.ts';
import { claimsInPostgres } from '../store/claims-in-postgres.ts';
import { openStore } from '../store/open.ts';

/**
 * Reads documents until it is killed or asked to stop: `node killable-documents.ts DATABASE_URL BLOBS_FOLDER NAME MS
 * [REDIS_URL]`. It prints a line when it begins to read one (NAME and the text), and works on it for so many ms.
 */
const [databaseUrl = '', blobsFolder = '', name = '', ms = '0', redisUrl] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const store = await openStore({ dataDir: '', databaseUrl });
const claims = claimsInPostgres(databaseUrl);
const jobs = await openJobs(redisUrl, { timers: systemTimers, log });
const knowledge = new Knowledge({
  store,
  blobs: openBlobs(blobsFolder),
  embedder: {
    dimensions: 1,
    embed: async (texts, signal) => {
      process.stdout.write(`${name} ${texts[0]}\n`);
      await new Promise((resolve, reject) => {
        setTimeout(resolve, Number(ms));
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      return texts.map(() => new Float32Array([1]));
    },
  },
  embedderIsZdr: false,
  log,
  now: Date.now,
  claims,
  jobs: jobs.ofService,
});
await knowledge.resume();
const endReconciling = reconcileJobs([() => knowledge.resume()], { timers: systemTimers, log });
process.stdout.write('ready\n');
process.once('SIGTERM', async () => {
  endReconciling();
  await knowledge.close();
  await closeJobs(jobs);
  await claims.close();
  await store.close();
});
