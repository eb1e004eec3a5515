import type { SessionStore, Store } from '../../control/index.ts';
import { recordingsIn } from '../../engine/index.ts';

/**
 * Recordings that nobody noted, because the service was killed while they were written: they can be played. Those of
 * sessions whose content was deleted are deleted.
 * @param moveAll whether those that were noted go to the bucket as well.
 */
export async function noteRecordings(
  store: Store,
  sessions: SessionStore,
  folder: string,
  moveAll: boolean,
): Promise<void> {
  const noted = new Set(
    (await store.db.selectFrom('recordings').select('session_id').execute()).map((row) => row.session_id),
  );
  for (const { sessionId, ...file } of recordingsIn(folder)) {
    if (moveAll || !noted.has(sessionId)) sessions.recording(sessionId, file);
  }
}
