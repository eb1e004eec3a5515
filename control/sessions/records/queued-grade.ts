import { type Compilable, type Kysely, sql } from 'kysely';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Database } from '../../store/tables.ts';

/**
 * Statements that ask for the grade of a session which is over: if its persona wants one, its user said something, and it is
 * kept. Repeating them is harmless. @param at ms since the epoch.
 */
export function queuedGrade(db: Kysely<Database>, sessionId: string, at: number): readonly Compilable[] {
  const time = isoTime(at);
  const row = sql`
    insert into session_grades (session_id, attempts, due_at, created_at)
    select id, 0, cast(${time} as text), cast(${time} as text) from sessions subject
    where id = ${sessionId} and grading_json is not null and zero_data_retention = 0 and is_erased = 0
      and exists (select 1 from session_messages where session_id = subject.id and role = 'user')
    on conflict (session_id) do nothing`;
  const mark = db
    .updateTable('sessions')
    .set({ grade: 'pending' })
    .where('id', '=', sessionId)
    .where('grade', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('session_grades').select('due_at').where('session_id', '=', sessionId)),
    );
  return [{ compile: () => row.compile(db) }, mark];
}

/** Statements that delete what an LLM wrote of a session. Verdicts stay, as facts; a grade that was never made is not made. */
export function erasedGrade(db: Kysely<Database>, sessionId: string): readonly Compilable[] {
  return [
    db
      .updateTable('sessions')
      .set({ grade: null })
      .where('id', '=', sessionId)
      .where('grade', 'in', ['pending', 'error']),
    db.deleteFrom('session_grades').where('session_id', '=', sessionId).where('graded_at', 'is', null),
    db.updateTable('session_grades').set({ content_json: null, due_at: null }).where('session_id', '=', sessionId),
  ];
}
