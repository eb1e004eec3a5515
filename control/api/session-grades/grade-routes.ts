import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { findSession, keepsTranscript } from '../../sessions/records/session-rows.ts';
import type { Store } from '../../store/open.ts';
import type { SessionGradeRow, SessionRow } from '../../store/tables.ts';
import type { Grading } from '../personas/grading-schema.ts';
import { gradeErrors } from './grade-errors.ts';
import { GradeRows } from './grade-rows.ts';
import { type GradeResponse, gradeResponse } from './grade-schema.ts';
import type { CriterionVerdict, Grade } from './read-grade.ts';

export interface GradeRoutesParts {
  readonly store: Store;
  readonly now: () => number;
}

const oneConfig = { pathId: { status: 400, missing: sessionErrors.sessionNotFound } } as const;

/** What came of a conversation. @param wake called when a grade was asked for. */
export function gradeRoutes(app: App, control: GradeRoutesParts, wake: () => Promise<void>): void {
  readGradeRoute(app, control);
  gradeAgainRoute(app, control, wake);
}

function readGradeRoute(app: App, control: GradeRoutesParts): void {
  app.get(
    '/v1/sessions/:id/grade',
    {
      config: oneConfig,
      schema: {
        summary: 'Read the grade of a session',
        params: idPath,
        response: { 200: gradeResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const session = await findSession(control, callerOf(request), request.params.id);
      return gradeOf(session, await findGrade(control, session));
    },
  );
}

function gradeAgainRoute(app: App, control: GradeRoutesParts, wake: () => Promise<void>): void {
  const rows = new GradeRows(control.store);
  app.post(
    '/v1/sessions/:id/grade',
    {
      config: oneConfig,
      schema: {
        summary: 'Have a session graded again',
        description:
          'By what its persona asks for now, else by what it asked for then. Works for sessions of before the persona asked ' +
          'for anything, too.',
        params: idPath,
        response: { 202: gradeResponse, ...errorAnswers(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const session = await findSession(control, callerOf(request), request.params.id);
      if (!keepsTranscript(session)) throw new HttpError(sessionErrors.transcriptNotFound);
      if (session.end_time === null) throw new HttpError(gradeErrors.notOver);
      const grading = await gradingOf(control, session);
      if (grading === null) throw new HttpError(gradeErrors.nothingToGrade);
      await rows.ask(session.id, grading, control.now());
      await wake();
      const asked = await findSession(control, callerOf(request), session.id);
      return reply.status(202).send(gradeOf(asked, await findGrade(control, asked)));
    },
  );
}

/** What is asked for now, else what was asked for then. */
async function gradingOf({ store }: GradeRoutesParts, session: SessionRow): Promise<Grading | null> {
  const persona =
    session.persona_id === null
      ? undefined
      : await store.db
          .selectFrom('personas')
          .select('grading_json')
          .where('id', '=', session.persona_id)
          .executeTakeFirst();
  const json = persona?.grading_json ?? session.grading_json;
  return json === null ? null : (JSON.parse(json) as Grading);
}

/** @throws HttpError 404. */
async function findGrade({ store }: GradeRoutesParts, session: SessionRow): Promise<SessionGradeRow> {
  const row = await store.db
    .selectFrom('session_grades')
    .selectAll()
    .where('session_id', '=', session.id)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(gradeErrors.gradeNotFound);
  return row;
}

function gradeOf(session: SessionRow, row: SessionGradeRow): GradeResponse {
  const content = row.content_json === null ? null : (JSON.parse(row.content_json) as Grade);
  const verdicts = JSON.parse(row.verdicts_json ?? '[]') as readonly Omit<CriterionVerdict, 'why'>[];
  return {
    sessionId: session.id,
    grade: session.grade ?? 'pending',
    summary: content?.summary ?? null,
    criteria: verdicts.map(({ name, passed }, index) => ({ name, passed, why: content?.criteria[index]?.why ?? null })),
    fields: content?.fields ?? null,
    problem: row.problem,
    attempts: row.attempts,
    nextAttemptAt: row.due_at,
    gradedAt: row.graded_at,
  };
}
