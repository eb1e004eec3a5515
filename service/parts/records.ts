import { openTraces, SessionStore, traceTurns, type Settings } from '../../control/index.ts';
import { VERSION, type Logger } from '../../engine/index.ts';
import type { Storage } from './storage.ts';

/** Stored records of sessions, and their traces. */
export interface Records {
  readonly sessions: SessionStore;
  /** Null: no trace collector is configured. */
  readonly traces: Awaited<ReturnType<typeof openTraces>>;
}

export async function openRecords(
  closing: AsyncDisposableStack,
  settings: Settings,
  { store, bucket }: Pick<Storage, 'store' | 'bucket'>,
  log: Logger,
): Promise<Records> {
  const traces = await openTraces(process.env, VERSION);
  closing.defer(() => traces?.close());
  const sessions = new SessionStore({
    store,
    log,
    now: Date.now,
    keepEvents: settings.PARLEY_EVENT_LOG,
    recordings: bucket,
  });
  if (traces !== null) sessions.listen(traceTurns(traces));
  closing.defer(() => sessions.close());
  return { sessions, traces };
}
