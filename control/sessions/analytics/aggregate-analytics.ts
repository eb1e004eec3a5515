import type { z } from 'zod';
import type { ToolCallRecord } from '../../../actors/report.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { SessionRow } from '../../store/tables.ts';
import { countToolCalls, distribution, rate, turnAnalytics, type TurnAnalytics } from './analytics.ts';
import { turnFromRow } from '../records/stored-turn.ts';
import { type aggregateAnalytics, LATENCIES, SLOWEST } from './analytics-schema.ts';
import type { Store } from '../../store/open.ts';

/** How many sessions one aggregate examines, newest first. */
const MOST_SESSIONS = 1000;
/** Turns named for each metric. */
const SLOWEST_PER_METRIC = 5;

interface Wanted {
  readonly organizationId: string;
  /** ms since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly filters: {
    readonly personaId?: string | undefined;
    readonly apiKeyId?: string | undefined;
    readonly clientLabel?: string | undefined;
    readonly sessionType?: string | undefined;
  };
}

interface Measured {
  readonly session: SessionRow;
  readonly turn: TurnAnalytics;
}

export async function aggregateOf(
  { store }: { readonly store: Store },
  { organizationId, from, to, filters }: Wanted,
): Promise<z.infer<typeof aggregateAnalytics>> {
  let rows = store.db
    .selectFrom('sessions')
    .where('organization_id', '=', organizationId)
    .where('start_time', '>=', isoTime(from))
    .where('start_time', '<=', isoTime(to));
  if (filters.personaId !== undefined) rows = rows.where('persona_id', '=', filters.personaId);
  if (filters.apiKeyId !== undefined) rows = rows.where('api_key_id', '=', filters.apiKeyId);
  if (filters.clientLabel !== undefined) rows = rows.where('client_label', '=', filters.clientLabel);
  if (filters.sessionType !== undefined) rows = rows.where('session_type', '=', filters.sessionType);
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const sessions = await rows
    .selectAll()
    .where('end_time', 'is not', null)
    .orderBy('start_time', 'desc')
    .limit(MOST_SESSIONS + 1)
    .execute();
  const truncated = sessions.length > MOST_SESSIONS;
  const looked = sessions.slice(0, MOST_SESSIONS);
  const ids = looked.map((session) => session.id);
  const none = ids.length === 0;
  const [turnRows, callRows, incidents] = none
    ? [[], [], []]
    : await Promise.all([
        store.db
          .selectFrom('session_turns')
          .select(['session_id', 'record_json'])
          .where('session_id', 'in', ids)
          .execute(),
        store.db.selectFrom('session_tool_calls').select('record_json').where('session_id', 'in', ids).execute(),
        store.db
          .selectFrom('session_incidents')
          .select(['session_id', 'kind'])
          .where('session_id', 'in', ids)
          .execute(),
      ]);
  const byId = new Map(looked.map((session) => [session.id, session]));
  const measured: Measured[] = turnRows.map((row) => {
    const session = byId.get(row.session_id)!;
    return { session, turn: turnAnalytics(turnFromRow(row.record_json), [], Date.parse(session.start_time), false) };
  });
  const toolCalls = countToolCalls(callRows.map((row) => JSON.parse(row.record_json) as ToolCallRecord));
  const interrupted = measured.filter(({ turn }) => turn.wasInterrupted);
  const beforeAudio = interrupted.filter(({ turn }) => turn.interruptedStage !== 'while_speaking');
  const sessionsWith = (kind: string): number =>
    new Set(incidents.filter((incident) => incident.kind === kind).map((incident) => incident.session_id)).size;
  const spread = (name: (typeof LATENCIES)[number]) => distribution(measured.map(({ turn }) => turn[name]));
  return {
    from: isoTime(from),
    to: isoTime(to),
    filters: {
      personaId: filters.personaId ?? null,
      apiKeyId: filters.apiKeyId ?? null,
      clientLabel: filters.clientLabel ?? null,
      sessionType: filters.sessionType ?? null,
    },
    sessionCount: Number(count),
    sessionsWithReports: new Set(turnRows.map((row) => row.session_id)).size,
    truncated,
    turnCount: measured.length,
    latencies: Object.fromEntries(LATENCIES.map((name) => [name, spread(name)])) as z.infer<
      typeof aggregateAnalytics
    >['latencies'],
    counts: {
      completedTurns: measured.filter(({ turn }) => turn.finishReason === 'completed').length,
      interruptedTurns: interrupted.length,
      interruptedBeforeAudioTurns: beforeAudio.length,
      totalErrors: incidents.filter(({ kind }) => kind === 'error').length,
      totalWarnings: incidents.filter(({ kind }) => kind === 'warning').length,
      sessionsWithErrors: sessionsWith('error'),
      sessionsWithWarnings: sessionsWith('warning'),
      toolCalls: { ...toolCalls, byName: { ...toolCalls.byName } },
    },
    rates: {
      interruptionRate: rate(interrupted.length, measured.length),
      interruptedBeforeAudioRate: rate(beforeAudio.length, measured.length),
      errorSessionRate: rate(sessionsWith('error'), looked.length),
      warningSessionRate: rate(sessionsWith('warning'), looked.length),
      toolCallFailureRate: rate(toolCalls.failed, toolCalls.total),
    },
    slowestTurns: SLOWEST.flatMap((metric) => slowest(measured, metric)),
  };
}

function slowest(measured: readonly Measured[], metric: (typeof SLOWEST)[number]) {
  return measured
    .filter(({ turn }) => turn[metric] !== null)
    .toSorted((a, b) => b.turn[metric]! - a.turn[metric]!)
    .slice(0, SLOWEST_PER_METRIC)
    .map(({ session, turn }) => ({
      sessionId: session.id,
      correlationId: turn.correlationId,
      metric,
      valueSeconds: turn[metric]!,
      sessionStartTime: session.start_time,
      personaId: session.persona_id,
      clientLabel: session.client_label,
    }));
}
