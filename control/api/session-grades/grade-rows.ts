import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { sessionEvent } from '../../events/outbox.ts';
import type { Store } from '../../store/open.ts';
import type { SessionGrade, SessionGradeRow, SessionRow } from '../../store/tables.ts';
import type { Grading } from '../personas/grading-schema.ts';
import type { SaidLine } from './quoted-transcript.ts';
import type { Grade } from './read-grade.ts';

/** How long an attempt is left to its process, ms: when it is gone, another one tries. */
const LEFT_TO_PROCESS_MS = 5 * 60_000;
/** Grades that are looked at in one step. */
const STEP = 100;

/** The rows behind grades: which are due, and what came of them. Times are ms since the epoch. */
export class GradeRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns ids of sessions, the longest due first. */
  async due(now: number): Promise<string[]> {
    const rows = await this.#store.db
      .selectFrom('session_grades')
      .select('session_id')
      .where('due_at', '<=', isoTime(now))
      .orderBy('due_at')
      .limit(STEP)
      .execute();
    return rows.map((row) => row.session_id);
  }

  /** Begins an attempt. @returns null: it is not due, or another process is at it. */
  async begin(sessionId: string, now: number): Promise<SessionGradeRow | null> {
    const row = await this.#store.db
      .updateTable('session_grades')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), due_at: isoTime(now + LEFT_TO_PROCESS_MS) }))
      .where('session_id', '=', sessionId)
      .where('due_at', '<=', isoTime(now))
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }

  async session(id: string): Promise<SessionRow | undefined> {
    return this.#store.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async said(sessionId: string): Promise<SaidLine[]> {
    const rows = await this.#store.db
      .selectFrom('session_messages')
      .select(['role', 'text', 'speaker_name'])
      .where('session_id', '=', sessionId)
      .orderBy('at')
      .orderBy('message_id')
      .execute();
    return rows.map(({ role, text, speaker_name: name }) => ({
      role,
      text: name === null ? text : `${name}: ${text}`,
    }));
  }

  /** Nothing is written when the content of the session was deleted meanwhile. */
  async note({ session_id: id, attempts }: SessionGradeRow, grade: Grade, now: number): Promise<boolean> {
    const { db } = this.#store;
    const verdicts = grade.criteria.map(({ name, passed }) => ({ name, passed }));
    const outcome = outcomeOf(verdicts);
    const at = isoTime(now);
    return this.#store.atomicallyIfFound(
      db
        .updateTable('session_grades')
        .set({
          due_at: null,
          problem: null,
          verdicts_json: JSON.stringify(verdicts),
          content_json: JSON.stringify(grade),
          graded_at: at,
        })
        .where('session_id', '=', id)
        .where('attempts', '=', attempts)
        .where('due_at', 'is not', null),
      [
        db.updateTable('sessions').set({ grade: outcome, updated_at: at }).where('id', '=', id),
        sessionEvent(db, id, {
          type: 'session.graded',
          // One that is graded once more is told once more.
          of: at,
          data: { grade: outcome, criteria: verdicts },
          at: now,
        }),
      ],
    );
  }

  /** @param again when it is tried once more; null: never. */
  async fail({ session_id: id, attempts }: SessionGradeRow, problem: string, again: number | null): Promise<void> {
    const { db } = this.#store;
    await this.#store.atomicallyIfFound(
      db
        .updateTable('session_grades')
        .set({ problem, due_at: again === null ? null : isoTime(again) })
        .where('session_id', '=', id)
        .where('attempts', '=', attempts)
        .where('due_at', 'is not', null),
      again === null ? [db.updateTable('sessions').set({ grade: 'error' }).where('id', '=', id)] : [],
    );
  }

  /** The process stops: the attempt does not count. */
  async giveBack({ session_id: id, attempts }: SessionGradeRow, now: number): Promise<void> {
    await this.#store.db
      .updateTable('session_grades')
      .set({ attempts: attempts - 1, due_at: isoTime(now) })
      .where('session_id', '=', id)
      .where('attempts', '=', attempts)
      .execute();
  }

  /** Asks for the grade of a session that is over, once more or for the first time. */
  async ask(sessionId: string, grading: Grading, now: number): Promise<void> {
    const { db } = this.#store;
    const at = isoTime(now);
    const again = { attempts: 0, due_at: at, problem: null };
    await this.#store.atomically([
      db
        .insertInto('session_grades')
        .values({ ...NOTHING, ...again, session_id: sessionId, created_at: at })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(again)),
      db
        .updateTable('sessions')
        .set({ grade: 'pending', grading_json: JSON.stringify(grading) })
        .where('id', '=', sessionId),
    ]);
  }
}

const NOTHING = { verdicts_json: null, content_json: null, graded_at: null } as const;

/** A success: everything was true. What nobody could see is no success, and no failure. */
function outcomeOf(verdicts: readonly { readonly passed: boolean | null }[]): SessionGrade {
  if (verdicts.length === 0) return 'done';
  if (verdicts.some(({ passed }) => passed === false)) return 'failed';
  return verdicts.some(({ passed }) => passed === null) ? 'unclear' : 'passed';
}
