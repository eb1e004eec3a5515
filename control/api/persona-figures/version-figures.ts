import { z } from 'zod';
import type { UsageRecord } from '../../../actors/report.ts';
import { spentOn } from '../../costs/cost-schema.ts';
import { costOf, type PaidRow } from '../../costs/session-costs.ts';
import { usageOf } from '../../sessions/records/session-usage.ts';
import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import type { Store } from '../../store/open.ts';
import type { SessionGrade } from '../../store/tables.ts';
import { turnAnalytics } from '../../sessions/analytics/analytics.ts';
import { percentilesOf } from '../../sessions/analytics/usage-by-day.ts';
import { turnFromRow } from '../../sessions/records/stored-turn.ts';
import { personaErrors } from '../personas/persona-errors.ts';
import { findPersona } from '../personas/publish-persona.ts';
import { versionOfColumn } from '../personas/version-rows.ts';
import { versionFigures } from './figure-schema.ts';

/** Sessions that are counted, the newest: enough to tell two versions apart, and read in a moment. */
const MAX_COUNTED = 5_000;
/** Of their turns, whose latencies are compared: of the newest sessions, and as many as are read without a pause. */
const MAX_TURNS = 4_000;

type VersionFigures = z.infer<typeof versionFigures>;
type VerdictCounts = VersionFigures['graded'];

/** What came of the conversations of each version. */
export function versionFiguresRoute(app: App, control: { readonly store: Store }): void {
  app.get(
    '/v1/personas/:id/figures',
    {
      config: { pathId: { status: 404, missing: personaErrors.personaNotFound } },
      schema: {
        summary: 'Compare the versions of a persona by their conversations',
        description: `The newest version first; the draft last. The last ${MAX_COUNTED} sessions are counted.`,
        params: idPath,
        response: { 200: z.object({ data: z.array(versionFigures) }), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const persona = await findPersona(control, callerOf(request).organizationId, request.params.id);
      const [sessions, turns] = await Promise.all([
        countedSessions(control.store, persona.id),
        countedTurns(control.store, persona.id),
      ]);
      const usage = await usageOf(
        control.store,
        sessions.map(({ id }) => id),
      );
      return { data: figuresOf(sessions, turns, usage) };
    },
  );
}

export interface CountedSession extends PaidRow {
  readonly id: string;
  readonly persona_version: number | null;
  readonly exit_status: string | null;
  readonly grade: SessionGrade | null;
  readonly verdicts_json: string | null;
}

export interface CountedTurn {
  readonly persona_version: number | null;
  readonly record_json: string;
}

function countedTurns({ db }: Store, personaId: string): Promise<CountedTurn[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('session_turns', 'session_turns.session_id', 'sessions.id')
    .select(['persona_version', 'record_json'])
    .where('sessions.persona_id', '=', personaId)
    .where('persona_version', 'is not', null)
    .where('end_time', 'is not', null)
    .orderBy('sessions.created_at', 'desc')
    .limit(MAX_TURNS)
    .execute();
}

function countedSessions({ db }: Store, personaId: string): Promise<CountedSession[]> {
  return db
    .selectFrom('sessions')
    .leftJoin('session_grades', 'session_grades.session_id', 'sessions.id')
    .select(['sessions.id', 'persona_version', 'start_time', 'end_time', 'exit_status', 'grade', 'verdicts_json'])
    .select(['llm_id', 'prices_json', 'llm_prices_json'])
    .where('sessions.persona_id', '=', personaId)
    .where('persona_version', 'is not', null)
    .where('end_time', 'is not', null)
    .orderBy('sessions.created_at', 'desc')
    .limit(MAX_COUNTED)
    .execute();
}

export function figuresOf(
  rows: readonly CountedSession[],
  turns: readonly CountedTurn[],
  usage: ReadonlyMap<string, readonly UsageRecord[]> = new Map(),
): VersionFigures[] {
  const byVersion = Map.groupBy(rows, (row) => row.persona_version!);
  const turnsByVersion = Map.groupBy(turns, (row) => row.persona_version!);
  // The draft has the number 0.
  return [...byVersion]
    .toSorted(([one], [other]) => other - one)
    .map(([version, sessions]) => ({
      version: versionOfColumn(version)!,
      sessions: sessions.length,
      errors: sessions.filter((row) => row.exit_status === 'ERROR').length,
      averageLengthMs: Math.round(
        sessions.reduce((sum, row) => sum + Math.max(0, Date.parse(row.end_time!) - Date.parse(row.start_time)), 0) /
          sessions.length,
      ),
      costs: spentOn(sessions.map((row) => costOf(row, usage.get(row.id) ?? []))),
      firstAudioLatencySeconds: percentilesOf((turnsByVersion.get(version) ?? []).map(latencyOf)),
      graded: {
        passed: sessions.filter((row) => row.grade === 'passed').length,
        failed: sessions.filter((row) => row.grade === 'failed').length,
        unclear: sessions.filter((row) => row.grade === 'unclear').length,
      },
      criteria: criteriaOf(sessions),
    }));
}

function latencyOf({ record_json }: CountedTurn): number | null {
  return turnAnalytics(turnFromRow(record_json), [], 0, false).firstAudioLatencySeconds;
}

function criteriaOf(sessions: readonly CountedSession[]): VersionFigures['criteria'] {
  const counts = new Map<string, VerdictCounts>();
  for (const { verdicts_json: json } of sessions) {
    const verdicts = JSON.parse(json ?? '[]') as readonly { readonly name: string; readonly passed: boolean | null }[];
    for (const { name, passed } of verdicts) {
      const count = counts.get(name) ?? { passed: 0, failed: 0, unclear: 0 };
      count[passed === null ? 'unclear' : passed ? 'passed' : 'failed'] += 1;
      counts.set(name, count);
    }
  }
  return [...counts].map(([name, count]) => ({ name, ...count }));
}
