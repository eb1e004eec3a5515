import type { Compilable, Kysely } from 'kysely';
import type { SessionEnd, SessionReportEntry } from '../../../actors/report.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { sessionEvent, transcriptEvent } from '../../events/outbox.ts';
import { queuedGrade } from './queued-grade.ts';
import type { Database } from '../../store/tables.ts';

/**
 * What webhooks are told of an entry, as statements for the transaction that stores it.
 * @param startedAt wall clock of the session's time zero, ms since the epoch.
 */
export function eventsOf(
  db: Kysely<Database>,
  sessionId: string,
  entry: SessionReportEntry,
  startedAt: number,
): readonly Compilable[] {
  if (entry.kind === 'end') return endEvents(db, sessionId, startedAt + entry.end.at, entry.end);
  if (entry.kind !== 'toolCall' || entry.call.status !== 'failed') return [];
  const { callId, toolName, toolType, completedAt, startedAt: calledAt } = entry.call;
  const at = startedAt + (completedAt ?? calledAt);
  return [
    sessionEvent(db, sessionId, {
      type: 'tool.failed',
      of: callId,
      data: { toolCallId: callId, toolName, toolType },
      at,
    }),
  ];
}

/** What webhooks are told when a session is over. @param at ms since the epoch. */
export function endEvents(
  db: Kysely<Database>,
  sessionId: string,
  at: number,
  { exitStatus, reason }: Pick<SessionEnd, 'exitStatus' | 'reason'>,
): readonly Compilable[] {
  const data = { endTime: isoTime(at), exitStatus, endReason: reason };
  return [
    sessionEvent(db, sessionId, { type: 'session.ended', data, at }),
    transcriptEvent(db, sessionId, at),
    ...queuedGrade(db, sessionId, at),
  ];
}
