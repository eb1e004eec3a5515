import type { SessionStore, Store } from '../../control/index.ts';
import { recordingsIn } from '../../engine/index.ts';

/**
 * Recordings that nobody noted, because the service was killed while they were written: they can be played. Those of
 * sessions whose content was deleted are deleted. Resolves when their rows are written: they say how long a session was.
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
  const found = recordingsIn(folder).filter(({ sessionId }) => moveAll || !noted.has(sessionId));
  await Promise.all(found.map(({ sessionId, ...file }) => sessions.noteRecording(sessionId, file)));
}
