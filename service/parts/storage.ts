import { join, resolve } from 'node:path';
import type { Redis } from 'ioredis';
import {
  claimsInMemory,
  claimsInPostgres,
  closeJobs,
  lockEngineName,
  openBlobs,
  openBlobsInS3,
  openDataFolder,
  openJobs,
  openRedis,
  openStore,
  type Blobs,
  type BlobsInS3,
  type Claims,
  type DiskBlobs,
  type JobQueues,
  type MasterKeys,
  type Settings,
  type Store,
} from '../../control/index.ts';
import type { Logger } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { openSecrets } from './open-secrets.ts';

/** Where a service keeps things, and what it shares with others. */
export interface Storage {
  readonly dataDir: string;
  readonly store: Store;
  /** Null: nothing is shared. */
  readonly redis: Redis | null;
  readonly secrets: MasterKeys;
  /** Files of this machine that can be made again. */
  readonly caches: DiskBlobs;
  /** Null: files are in the data folder. */
  readonly bucket: BlobsInS3 | null;
  readonly blobs: Blobs;
}

/** Nobody else may use the data folder until it is closed. @throws StartError when somebody does. */
export async function lockDataFolder(closing: AsyncDisposableStack, settings: Settings, log: Logger): Promise<void> {
  const folder = await openDataFolder(resolve(settings.PARLEY_DATA_DIR), log);
  closing.defer(() => folder?.release());
}

/**
 * Opens the database, Redis and the files of the settings. @throws StartError or what they throw when one is not there.
 */
export async function openStorage(closing: AsyncDisposableStack, settings: Settings, log: Logger): Promise<Storage> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = settings;
  const dataDir = resolve(settings.PARLEY_DATA_DIR);
  const store = await openStore({ dataDir, databaseUrl, warn: (message) => log.warn(message) });
  const name = databaseUrl === undefined ? null : await lockEngineName(databaseUrl, settings.PARLEY_ENGINE_ID, log);
  // Another engine of this name may start once nothing more is written here.
  closing.defer(() => name?.release());
  closing.defer(() => store.close());
  const redis = redisUrl === undefined ? null : await openRedis(redisUrl, log);
  closing.defer(async () => void (await redis?.quit().catch(() => redis.disconnect())));
  const secrets = await openSecrets(settings, dataDir, store, log);
  const caches = openBlobs(join(dataDir, 'blobs'));
  const bucket = await openBlobsInS3(settings, caches, log);
  closing.defer(() => bucket?.close());
  return { dataDir, store, redis, secrets, caches, bucket, blobs: bucket ?? caches };
}

/** What hands out background work, and lets only one process do it. */
export interface WorkQueue {
  readonly claims: Claims;
  readonly jobs: JobQueues;
}

export async function openWorkQueue(
  closing: AsyncDisposableStack,
  settings: Settings,
  log: Logger,
): Promise<WorkQueue> {
  const claims = settings.DATABASE_URL === undefined ? claimsInMemory() : claimsInPostgres(settings.DATABASE_URL);
  closing.defer(() => claims.close());
  const jobs = await openJobs(settings.REDIS_URL, { timers: systemTimers, log });
  closing.defer(() => closeJobs(jobs));
  return { claims, jobs };
}
