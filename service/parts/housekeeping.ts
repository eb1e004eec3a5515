import { join } from 'node:path';
import { startHousekeeping, openVault } from '../../control/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { engineIds } from '../settings/engine-count.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Foundation } from './foundation.ts';
import { recoverRecordings } from './recover-recordings.ts';

/**
 * Cleans up after an earlier process, now and regularly: recordings, sessions without an end, old data. Engine
 * processes leave this to their supervisor.
 * @param findLive says which sessions of a killed process continue in other processes. @defaultValue none
 */
export async function openHousekeeping(
  closing: AsyncDisposableStack,
  { settings, storage, records, queue, log }: Foundation,
  { knowledge, videos, ports }: Pick<ControlPlane, 'knowledge' | 'videos' | 'ports'>,
  findLive?: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { store, blobs, bucket, dataDir } = storage;
  await recoverRecordings(store, records.sessions, join(dataDir, 'recordings'), bucket !== null);
  const house = await startHousekeeping({
    settings,
    engineIds: engineIds(settings.PARLEY_ENGINE_ID),
    store,
    sessions: records.sessions,
    blobs,
    sharesFiles: bucket !== null,
    knowledge,
    videos,
    ...queue,
    log,
    now: Date.now,
    timers: systemTimers,
    events: { vault: openVault(storage.secrets.derive('secrets')), post: ports.postEvent },
    ...(findLive !== undefined && { findLive }),
  });
  closing.defer(() => house.close());
}
