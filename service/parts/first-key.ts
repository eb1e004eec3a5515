import { ensureFirstKey, type Settings, type Store } from '../../control/index.ts';

/** Makes the key of the settings one that works. */
export async function acceptKnownKey(settings: Settings, store: Store): Promise<void> {
  const key = settings.PARLEY_API_KEY;
  if (key !== undefined) await ensureFirstKey(store, key, Date.now());
}

/**
 * Not before the service listens: a start that fails, for example because the port is in use, would make a key that nobody
 * ever sees.
 * @returns a key that was just made; null: there was one, or the settings have it.
 */
export async function makeFirstKey(settings: Settings, store: Store): Promise<string | null> {
  return settings.PARLEY_API_KEY === undefined ? ensureFirstKey(store, null, Date.now()) : null;
}
