import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { costOf } from '../../costs/session-costs.ts';
import { usageOfAll } from '../../sessions/records/session-usage.ts';
import { type App, callerOf } from '../../http/app.ts';
import { errorAnswers } from '../../http/schemas.ts';
import { turnFromRow } from '../../sessions/records/stored-turn.ts';
import { periodStart, usageByDay } from '../../sessions/analytics/usage-by-day.ts';
import { usageQuery, usageResponse } from '../../sessions/analytics/usage-schema.ts';
import type { Store } from '../../store/open.ts';

/** What these routes take of the service. */
export interface UsageRoutesParts {
  readonly store: Store;
  readonly now: () => number;
}

/** Each is read and parsed: this many take about 100 ms. */
const MAX_TURNS = 20_000;

/** How much an organization talks, day by day. */
export function usageRoutes(app: App, { store, now }: UsageRoutesParts): void {
  app.get(
    '/v1/sessions/usage',
    {
      schema: {
        summary: 'Usage by day',
        description: 'Sessions, minutes, costs, turns and how soon they were answered.',
        querystring: usageQuery,
        response: { 200: usageResponse, ...errorAnswers(400) },
      },
    },
    async (request) => {
      const period = { ...request.query, now: now() };
      const sessions = store.db
        .selectFrom('sessions')
        .where('sessions.organization_id', '=', callerOf(request).organizationId)
        .where('sessions.start_time', '>=', isoTime(periodStart(period)));
      const [rows, usage, turns] = await Promise.all([
        sessions
          .select(['id', 'start_time', 'end_time', 'exit_status', 'persona_id', 'persona_name'])
          .select(['llm_id', 'prices_json', 'llm_prices_json'])
          .orderBy('start_time')
          .execute(),
        usageOfAll(sessions),
        sessions
          .innerJoin('session_turns', 'session_turns.session_id', 'sessions.id')
          .select(['session_turns.session_id', 'session_turns.record_json'])
          .orderBy('sessions.start_time', 'desc')
          .limit(MAX_TURNS + 1)
          .execute(),
      ]);
      return {
        ...usageByDay(
          rows.map((row) => ({
            id: row.id,
            startedAt: Date.parse(row.start_time),
            endedAt: row.end_time === null ? null : Date.parse(row.end_time),
            failed: row.exit_status === 'ERROR',
            personaId: row.persona_id,
            personaName: row.persona_name,
            cost: costOf(row, usage.get(row.id) ?? []),
          })),
          turns.slice(0, MAX_TURNS).map((row) => ({ sessionId: row.session_id, turn: turnFromRow(row.record_json) })),
          period,
        ),
        truncated: turns.length > MAX_TURNS,
      };
    },
  );
}
