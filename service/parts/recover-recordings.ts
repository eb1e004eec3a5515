import type { SessionStore, Store } from '../../control/index.ts';
import { recordingsIn } from '../../engine/index.ts';

/**
 * Recovers recordings that have no row, because the service was killed while it wrote them. They can be played.
 * Recordings of sessions whose content was deleted are deleted. Resolves when the rows, which contain the durations,
 * are written.
 * @param moveAll whether recordings that have rows are also moved to the bucket.
 */
export async function recoverRecordings(
  store: Store,
  sessions: SessionStore,
  folder: string,
  moveAll: boolean,
): Promise<void> {
  const noted = new Set(
    (await store.db.selectFrom('recordings').select('session_id').execute()).map((row) => row.session_id),
  );
  const found = recordingsIn(folder).filter(({ sessionId }) => moveAll || !noted.has(sessionId));
  await Promise.all(found.map(({ sessionId, ...file }) => sessions.noteRecording(sessionId, file)));
}
