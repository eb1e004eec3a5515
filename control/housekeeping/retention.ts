import { isoTime } from '../../actors/kernel/iso-time.ts';
import { SIGN_IN_IDLE_MS } from '../access/sign-ins.ts';
import { eraseContent } from '../sessions/records/erase-content.ts';
import type { Blobs } from '../store/blobs.ts';
import { DRAFT_KEPT_MS } from '../store/draft-age.ts';
import type { Store } from '../store/open.ts';

const DAY_MS = 86_400_000;
/** Rows in one step: this keeps each commit short. */
const STEP = 100;
/** Uploads that were announced and never used are forgotten after this time. */
const ABANDONED_MS = DAY_MS;

/** What was sent to webhooks is shown for this time, ms: long enough to find out why something did not arrive. */
const DELIVERIES_KEPT_MS = 7 * DAY_MS;

export interface Expiry {
  readonly store: Store;
  readonly dataDir: string;
  readonly blobs: Blobs;
  readonly retentionDays: number;
  readonly now: () => number;
}

/**
 * Deletes by age, as the dates in the database say: transcripts, recordings, event logs, videos, meeting invites, drafts
 * of personas and sign-ins. Operational facts of sessions stay. Repeating it is harmless.
 * @returns how many sessions lost their content. @throws the reason of the signal, between two steps.
 */
export async function deleteExpired(options: Expiry, signal?: AbortSignal): Promise<number> {
  const { store, blobs } = options;
  const at = options.now();
  const before = (ageMs: number): string => isoTime(at - ageMs);
  const keptMs = options.retentionDays * DAY_MS;
  const due = before(keptMs);
  let sessions = 0;
  for (;;) {
    signal?.throwIfAborted();
    const old = await store.db
      .selectFrom('sessions')
      .select('id')
      .where('end_time', '<', due)
      .where('is_erased', '=', 0)
      .limit(STEP)
      .execute();
    for (const { id } of old) await eraseContent(options, id);
    sessions += old.length;
    if (old.length < STEP) break;
  }
  const videos = await store.db
    .selectFrom('avatar_videos')
    .select(['id', 'blob_key'])
    .where('created_at', '<', due)
    .where('status', 'not in', ['queued', 'processing'])
    .execute();
  for (const { id, blob_key: key } of videos) {
    if (key !== null) await blobs.remove(key);
    await store.db.deleteFrom('avatar_videos').where('id', '=', id).execute();
  }
  await store.db
    .deleteFrom('meeting_invites')
    .where('due_at', '<', due)
    .where('status', 'not in', ['pending', 'active'])
    .execute();
  const sent = before(Math.min(keptMs, DELIVERIES_KEPT_MS));
  await store.db.deleteFrom('webhook_deliveries').where('created_at', '<', sent).execute();
  await store.db.deleteFrom('persona_drafts').where('updated_at', '<', before(DRAFT_KEPT_MS)).execute();
  const abandoned = before(ABANDONED_MS);
  await store.db.deleteFrom('session_tokens').where('expires_at', '<', abandoned).execute();
  await store.db.deleteFrom('sign_ins').where('last_used_at', '<', before(SIGN_IN_IDLE_MS)).execute();
  await store.db.deleteFrom('sign_ins').where('expires_at', '<', before(0)).execute();
  await forgetUploads(options, abandoned);
  return sessions;
}

/** Announced uploads that never arrived, used samples, and files whose rows are gone. */
async function forgetUploads({ store, blobs }: Expiry, before: string): Promise<void> {
  const uploads = await store.db.selectFrom('uploads').select('id').where('created_at', '<', before).execute();
  for (const { id } of uploads) {
    await blobs.remove(`samples/${id}`);
    await store.db.deleteFrom('uploads').where('id', '=', id).execute();
  }
  const documents = await store.db
    .selectFrom('knowledge_documents')
    .select(['id', 'blob_key'])
    .where('status', '=', 'UPLOADED')
    .where('created_at', '<', before)
    .execute();
  for (const { id, blob_key: key } of documents) {
    await store.db.deleteFrom('knowledge_documents').where('id', '=', id).where('status', '=', 'UPLOADED').execute();
    await blobs.remove(key);
  }
}
