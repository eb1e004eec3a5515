import { randomUUID } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { SessionReportEntry, UsageRecord } from '../../../actors/report.ts';
import { frozenPrices } from '../../costs/frozen-prices.ts';
import type { Store } from '../../store/open.ts';

/** What writes an entry of a session's report. @param startedAt ms since the epoch. */
export function statementFor(
  db: Store['db'],
  sessionId: string,
  entry: SessionReportEntry,
  startedAt: number,
): Compilable {
  switch (entry.kind) {
    case 'message':
      return upsertMessage(db, sessionId, entry.message);
    case 'turn': {
      const values = {
        session_id: sessionId,
        turn_index: entry.turn.turnIndex,
        record_json: JSON.stringify(entry.turn),
      };
      return db
        .insertInto('session_turns')
        .values(values)
        .onConflict((conflict) => conflict.columns(['session_id', 'turn_index']).doUpdateSet(values));
    }
    case 'toolCall': {
      const values = {
        session_id: sessionId,
        call_id: entry.call.callId,
        started_at: entry.call.startedAt,
        record_json: JSON.stringify(entry.call),
      };
      return db
        .insertInto('session_tool_calls')
        .values(values)
        .onConflict((conflict) => conflict.columns(['session_id', 'call_id']).doUpdateSet(values));
    }
    case 'usage':
      return upsertUsage(db, sessionId, entry.usage);
    case 'warning':
    case 'error':
      return db
        .insertInto('session_incidents')
        .values({ id: randomUUID(), session_id: sessionId, kind: entry.kind, code: entry.code, at: entry.at });
    case 'end': {
      const at = new Date(startedAt + entry.end.at).toISOString();
      return db
        .updateTable('sessions')
        .set({
          end_time: at,
          exit_status: entry.end.exitStatus,
          end_reason: entry.end.reason,
          end_message: entry.end.message,
          updated_at: at,
          ...frozenPrices(),
        })
        .where('id', '=', sessionId);
    }
  }
}

function upsertMessage(
  db: Store['db'],
  sessionId: string,
  message: Extract<SessionReportEntry, { kind: 'message' }>['message'],
): Compilable {
  const { messageId, role, speaker, text, at, speakingMs, interrupted, forPersona } = message;
  const values = {
    session_id: sessionId,
    message_id: messageId,
    role,
    speaker_name: speaker ?? null,
    text,
    at,
    speaking_ms: speakingMs,
    interrupted: Number(interrupted),
    for_persona: Number(forPersona ?? true),
  };
  return db
    .insertInto('session_messages')
    .values(values)
    .onConflict((conflict) => conflict.columns(['session_id', 'message_id', 'role']).doUpdateSet(values));
}

export function upsertUsage(db: Store['db'], sessionId: string, { amounts, ...key }: UsageRecord): Compilable {
  const values = { session_id: sessionId, ...key, amounts_json: JSON.stringify(amounts) };
  return db
    .insertInto('session_usage')
    .values(values)
    .onConflict((conflict) => conflict.columns(['session_id', 'service', 'provider', 'place']).doUpdateSet(values));
}
