import { createHash } from 'node:crypto';
import { type Compilable, type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely';
import { isoTime } from '../../actors/kernel/iso-time.ts';
import type { Database } from '../store/tables.ts';
import type { EventType } from './event-types.ts';

/*
 * The outbox. An event is written by the transaction that makes it true: one row for each webhook that wants it, and none
 * where nobody does. So neither is lost, and a conversation never waits for a receiver.
 */

/** How long the delivery of an event is tried, ms. */
export const DELIVERED_WITHIN_MS = 24 * 3_600_000;

export interface NewEvent {
  readonly type: EventType;
  /** What tells it from other events of this type and subject, for example the id of a tool call. @defaultValue '' */
  readonly of?: string;
  /** Ids and facts: it is stored, and no content of conversations may be. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Ms since the epoch. */
  readonly at: number;
}

/** The same event has the same id, whichever process writes it, and however often. */
export function eventId(type: string, subject: string, of = ''): string {
  return `evt_${createHash('sha256').update(`${type}\n${subject}\n${of}`).digest('base64url').slice(0, 32)}`;
}

/** @returns a statement that writes an event of a session whose row is there. Repeating it is harmless. */
export function sessionEvent(db: Kysely<Database>, sessionId: string, event: NewEvent): Compilable {
  return write(db, 'sessions', sessionId, event);
}

/** The same for an avatar video. */
export function videoEvent(db: Kysely<Database>, videoId: string, event: NewEvent): Compilable {
  return write(db, 'avatar_videos', videoId, event);
}

/** The same for the transcript of a session: there is none when nothing was said, or nothing may be kept. */
export function transcriptEvent(db: Kysely<Database>, sessionId: string, at: number): Compilable {
  const said = sql<SqlBool>`subject.zero_data_retention = 0
    and exists (select 1 from session_messages where session_id = subject.id)`;
  return write(db, 'sessions', sessionId, { type: 'transcript.ready', data: {}, at }, said);
}

/** The same for a recording that is noted after it. One that was noted before is not told again. */
export function recordingEvent(
  db: Kysely<Database>,
  sessionId: string,
  { durationMs, bytes, at }: { readonly durationMs: number; readonly bytes: number; readonly at: number },
): Compilable {
  const isNew = sql<SqlBool>`not exists (select 1 from recordings where session_id = subject.id)`;
  return write(db, 'sessions', sessionId, { type: 'recording.ready', data: { durationMs, bytes }, at }, isNew);
}

function write(
  db: Kysely<Database>,
  table: 'sessions' | 'avatar_videos',
  subjectId: string,
  { type, of, data, at }: NewEvent,
  only: RawBuilder<SqlBool> = sql`1 = 1`,
): Compilable {
  // Names of types and ids contain no quotes, so a name in quotes is found only as a whole.
  const statement = sql`
    insert into webhook_deliveries (webhook_id, event_id, event_type, session_id, persona_id, data_json, status, attempts,
      due_at, give_up_at, created_at)
    select webhooks.id, ${text(eventId(type, subjectId, of))}, ${text(type)},
      ${text(table === 'sessions' ? subjectId : null)}, subject.persona_id, ${text(JSON.stringify(data))},
      'pending', 0, ${text(isoTime(at))}, ${text(isoTime(at + DELIVERED_WITHIN_MS))}, ${text(isoTime(at))}
    from webhooks join ${sql.table(table)} subject on subject.organization_id = webhooks.organization_id
    where subject.id = ${subjectId} and webhooks.enabled = 1 and webhooks.event_types_json like ${`%"${type}"%`}
      and (webhooks.persona_ids_json is null or webhooks.persona_ids_json like '%"' || subject.persona_id || '"%')
      and ${only}
    on conflict (webhook_id, event_id) do nothing`;
  return { compile: () => statement.compile(db) };
}

/** PostgreSQL does not guess the type of a parameter that is selected. */
const text = (value: string | null) => sql`cast(${value} as text)`;
