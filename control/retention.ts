import type { Logger } from '../engine/log.ts';
import type { TurnRecord, ToolCallRecord } from '../actors/report.ts';
import { removeRecording } from './sessions/recording-files.ts';
import type { Blobs } from './store/blobs.ts';
import { type Claims, claimsInMemory } from './store/claims.ts';
import type { Store } from './store/open.ts';

/**
 * How often the service looks for old data. Data that expires while the service is stopped is deleted at its next
 * start.
 */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Rows in one step: this keeps each commit short. */
const STEP = 100;
/** Uploads that were announced and never used are forgotten after this time. */
const ABANDONED_MS = DAY_MS;

export interface Retention {
  /** Deletes what has expired. @returns how many sessions lost their content. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

interface Options {
  readonly store: Store;
  readonly blobs: Blobs;
  /** @defaultValue no other process uses the database */
  readonly claims?: Claims;
  readonly retentionDays: number;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Deletes transcripts, recordings, event logs, videos and meeting invites by age. Nothing is scheduled in memory: every run looks for
 * expired data by the dates in the database, so restarts lose nothing. Operational facts of sessions stay.
 */
export function openRetention(options: Options): Retention {
  let running: Promise<number> = Promise.resolve(0);
  const sweep = (): Promise<number> => {
    running = running.catch(() => 0).then(() => sweepIfFirst(options));
    return running;
  };
  const sweepAndLog = (): void => {
    sweep().catch((error: unknown) =>
      options.log.error({ err: error }, 'old data could not be deleted; it is tried again'),
    );
  };
  const timer = setInterval(sweepAndLog, EVERY_MS);
  timer.unref();
  sweepAndLog();
  return {
    sweep,
    async close() {
      clearInterval(timer);
      await running.catch(() => 0);
    },
  };
}

/** Of several processes that look at the same time, one does the work. */
async function sweepIfFirst(options: Options): Promise<number> {
  const { claims = claimsInMemory() } = options;
  const claim = await claims.take('retention');
  if (claim === null) return 0;
  try {
    return await sweepOnce(options);
  } finally {
    await claim.release();
  }
}

async function sweepOnce(options: Options): Promise<number> {
  const { store, blobs, now } = options;
  const due = new Date(now() - options.retentionDays * DAY_MS).toISOString();
  let sessions = 0;
  for (;;) {
    const old = await store.db
      .selectFrom('sessions')
      .select('id')
      .where('end_time', '<', due)
      .where('expired_at', 'is', null)
      .limit(STEP)
      .execute();
    for (const { id } of old) await expireSession(options, id);
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
  const abandoned = new Date(now() - ABANDONED_MS).toISOString();
  await store.db.deleteFrom('session_tokens').where('expires_at', '<', abandoned).execute();
  await forgetUploads(options, abandoned);
  return sessions;
}

/** Files are deleted first: after an interruption, the session is found again. */
async function expireSession({ store, blobs, now }: Options, id: string): Promise<void> {
  const recording = await store.db
    .selectFrom('recordings')
    .select('path')
    .where('session_id', '=', id)
    .executeTakeFirst();
  if (recording !== undefined) await removeRecording(blobs, recording.path);
  const [turns, calls] = await Promise.all([
    store.db.selectFrom('session_turns').selectAll().where('session_id', '=', id).execute(),
    store.db.selectFrom('session_tool_calls').selectAll().where('session_id', '=', id).execute(),
  ]);
  await store.atomically([
    store.db.deleteFrom('session_messages').where('session_id', '=', id),
    store.db.deleteFrom('session_events').where('session_id', '=', id),
    store.db.deleteFrom('recordings').where('session_id', '=', id),
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
        .set({ record_json: JSON.stringify(withoutValues(JSON.parse(row.record_json))) })
        .where('session_id', '=', id)
        .where('call_id', '=', row.call_id),
    ),
    store.db
      .updateTable('sessions')
      .set({ expired_at: new Date(now()).toISOString() })
      .where('id', '=', id),
  ]);
}

function withoutTexts(turn: TurnRecord): TurnRecord {
  return { ...turn, userText: null, personaText: null };
}

function withoutValues(call: ToolCallRecord): ToolCallRecord {
  return { ...call, arguments: null, result: null, documentsAccessed: null };
}

/** Announced uploads that never arrived, used samples, and files whose rows are gone. */
async function forgetUploads({ store, blobs }: Options, before: string): Promise<void> {
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
