import {
  masterKeys,
  storedMasterKey,
  takeOverSecrets,
  type MasterKeys,
  type Settings,
  type Store,
} from '../../control/index.ts';
import type { Logger } from '../../engine/index.ts';

/**
 * The master keys, newest first: that one closes, all of them open. @throws StartError when stored secrets need another
 * one.
 */
export async function openSecrets(settings: Settings, dataDir: string, store: Store, log: Logger): Promise<MasterKeys> {
  const present = settings.PARLEY_MASTER_KEY ?? (await storedMasterKey(dataDir));
  const keys = masterKeys(
    settings.PARLEY_PREVIOUS_MASTER_KEY === undefined ? [present] : [present, settings.PARLEY_PREVIOUS_MASTER_KEY],
  );
  const renewed = await takeOverSecrets(store, keys.derive('secrets'), settings.PARLEY_LOST_MASTER_KEYS);
  if (renewed > 0) log.info({ renewed }, 'stored secrets of the previous master key are closed with the present one');
  return keys;
}
