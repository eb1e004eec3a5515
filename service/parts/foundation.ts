import type { Settings } from '../../control/index.ts';
import type { Logger } from '../../engine/index.ts';
import { listenAddress } from '../process/listen-address.ts';
import { acceptKnownKey } from './first-key.ts';
import { openSavedLatencies } from './saved-latencies.ts';
import { openPhotos, type Photos } from './photos.ts';
import { openProviders, type Providers } from './providers.ts';
import { openRecords, type Records } from './records.ts';
import { lockDataFolder, openStorage, openWorkQueue, type Storage, type WorkQueue } from './storage.ts';

/** The parts that every process of a service has. */
export interface Foundation {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly photos: Photos;
  readonly records: Records;
  readonly queue: WorkQueue;
  readonly providers: Providers;
  readonly log: Logger;
}

/** Opens the parts that every process has: storage, photos, records of sessions, background work, providers. */
export async function openFoundation(
  closing: AsyncDisposableStack,
  settings: Settings,
  log: Logger,
): Promise<Foundation> {
  const storage = await openStorage(closing, settings, log);
  const { dataDir, store, bucket } = storage;
  const photos = openPhotos({ dataDir, store, bucket, log });
  closing.defer(() => photos.close());
  const records = await openRecords(closing, settings, storage, log);
  const queue = await openWorkQueue(closing, settings, log);
  const providers = await openProviders(closing, settings, dataDir, log);
  return { settings, storage, photos, records, queue, providers, log };
}

/** The same for the process that owns the data folder and locks it. @param changes settings to override. */
export async function openMainFoundation(
  closing: AsyncDisposableStack,
  given: Settings,
  log: Logger,
  changes: Partial<Settings> = {},
): Promise<Foundation> {
  const settings = { ...given, PARLEY_HOST: await listenAddress(given.PARLEY_HOST), ...changes };
  await lockDataFolder(closing, settings, log);
  const foundation = await openFoundation(closing, settings, log);
  const { storage, providers } = foundation;
  await acceptKnownKey(settings, storage.store);
  await openSavedLatencies(closing, storage.dataDir, providers.latencies, log);
  return foundation;
}
