import type { TurnRecord } from '../../../actors/report.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Store } from '../../store/open.ts';
import { erasedGrade } from './queued-grade.ts';
import { withoutContent } from './zero-data-retention.ts';
import { type RecordingPlaces, removeRecording } from './recording-files.ts';
import { factsOf } from './snapshot-facts.ts';

interface Erasure extends RecordingPlaces {
  readonly store: Store;
  readonly now: () => number;
}

/**
 * Deletes what was said and shown in a session that is over, and what its client had sent about it. Operational facts
 * stay: ids, times, counts, what it ran with and why it ended. Repeating it is harmless. Files are deleted first: after an
 * interruption, the session is found again.
 */
export async function eraseContent({ store, dataDir, blobs, now }: Erasure, id: string): Promise<void> {
  const recording = await store.db
    .selectFrom('recordings')
    .select('path')
    .where('session_id', '=', id)
    .executeTakeFirst();
  if (recording !== undefined) await removeRecording({ dataDir, blobs }, recording.path);
  const [session, turns, calls] = await Promise.all([
    store.db.selectFrom('sessions').select('snapshot_json').where('id', '=', id).executeTakeFirst(),
    store.db.selectFrom('session_turns').selectAll().where('session_id', '=', id).execute(),
    store.db.selectFrom('session_tool_calls').selectAll().where('session_id', '=', id).execute(),
  ]);
  if (session === undefined) return;
  await store.atomically([
    store.db.deleteFrom('session_messages').where('session_id', '=', id),
    store.db.deleteFrom('session_events').where('session_id', '=', id),
    store.db.deleteFrom('recordings').where('session_id', '=', id),
    ...erasedGrade(store.db, id),
    // The link and the name of its meeting.
    store.db
      .deleteFrom('meeting_invites')
      .where('session_id', '=', id)
      .where('status', 'not in', ['pending', 'active']),
    ...turns.map((row) =>
      store.db
        .updateTable('session_turns')
        .set({ record_json: JSON.stringify(withoutTexts(JSON.parse(row.record_json))) })
        .where('session_id', '=', id)
        .where('turn_index', '=', row.turn_index),
    ),
    ...calls.map((row) =>
      store.db
        .updateTable('session_tool_calls')
        .set({ record_json: JSON.stringify(withoutContent(JSON.parse(row.record_json))) })
        .where('session_id', '=', id)
        .where('call_id', '=', row.call_id),
    ),
    store.db
      .updateTable('sessions')
      .set({
        grading_json: null,
        snapshot_json: JSON.stringify(factsOf(JSON.parse(session.snapshot_json))),
        client_label: null,
        client_metadata_json: null,
        end_message: null,
        expired_at: isoTime(now()),
        is_erased: 1,
      })
      .where('id', '=', id),
  ]);
}

function withoutTexts(turn: TurnRecord): TurnRecord {
  return { ...turn, userText: null, personaText: null };
}
