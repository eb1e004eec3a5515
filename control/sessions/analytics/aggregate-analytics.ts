import type { z } from 'zod';
import type { ToolCallRecord } from '../../../actors/report.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { SessionRow } from '../../store/tables.ts';
import {
  countToolCalls,
  distribution,
  rate,
  turnAnalytics,
  type ToolCallCounts,
  type TurnAnalytics,
} from './analytics.ts';
import { turnFromRow } from '../records/stored-turn.ts';
import { type aggregateAnalytics, LATENCIES, SLOWEST } from './analytics-schema.ts';
import type { Store } from '../../store/open.ts';

/** How many sessions one aggregate examines, newest first. */
const MAX_SESSIONS = 1000;
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
  const rows = matching(store, { organizationId, from, to, filters });
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const sessions = await rows
    .selectAll()
    .where('end_time', 'is not', null)
    .orderBy('start_time', 'desc')
    .limit(MAX_SESSIONS + 1)
    .execute();
  const truncated = sessions.length > MAX_SESSIONS;
  const looked = sessions.slice(0, MAX_SESSIONS);
  const { turnRows, callRows, incidents } = await recordsOf(
    store,
    looked.map((session) => session.id),
  );
  const byId = new Map(looked.map((session) => [session.id, session]));
  const measured: Measured[] = turnRows.map((row) => {
    const session = byId.get(row.session_id)!;
    return { session, turn: turnAnalytics(turnFromRow(row.record_json), [], Date.parse(session.start_time), false) };
  });
  const toolCalls = countToolCalls(callRows.map((row) => JSON.parse(row.record_json) as ToolCallRecord));
  const { personaId = null, apiKeyId = null, clientLabel = null, sessionType = null } = filters;
  return {
    from: isoTime(from),
    to: isoTime(to),
    filters: { personaId, apiKeyId, clientLabel, sessionType },
    sessionCount: Number(count),
    sessionsWithReports: new Set(turnRows.map((row) => row.session_id)).size,
    truncated,
    turnCount: measured.length,
    latencies: latenciesOf(measured),
    ...countsAndRates(measured, toolCalls, incidents, looked.length),
    slowestTurns: SLOWEST.flatMap((metric) => slowest(measured, metric)),
  };
}

function matching(store: Store, { organizationId, from, to, filters }: Wanted) {
  let rows = store.db
    .selectFrom('sessions')
    .where('organization_id', '=', organizationId)
    .where('start_time', '>=', isoTime(from))
    .where('start_time', '<=', isoTime(to));
  if (filters.personaId !== undefined) rows = rows.where('persona_id', '=', filters.personaId);
  if (filters.apiKeyId !== undefined) rows = rows.where('api_key_id', '=', filters.apiKeyId);
  if (filters.clientLabel !== undefined) rows = rows.where('client_label', '=', filters.clientLabel);
  if (filters.sessionType !== undefined) rows = rows.where('session_type', '=', filters.sessionType);
  return rows;
}

/** What sessions have left behind, unread. */
async function recordsOf(store: Store, ids: readonly string[]) {
  if (ids.length === 0) return { turnRows: [], callRows: [], incidents: [] };
  const [turnRows, callRows, incidents] = await Promise.all([
    store.db.selectFrom('session_turns').select(['session_id', 'record_json']).where('session_id', 'in', ids).execute(),
    store.db.selectFrom('session_tool_calls').select('record_json').where('session_id', 'in', ids).execute(),
    store.db.selectFrom('session_incidents').select(['session_id', 'kind']).where('session_id', 'in', ids).execute(),
  ]);
  return { turnRows, callRows, incidents };
}

type Aggregate = z.infer<typeof aggregateAnalytics>;

function latenciesOf(measured: readonly Measured[]): Aggregate['latencies'] {
  const spread = (name: (typeof LATENCIES)[number]) => distribution(measured.map(({ turn }) => turn[name]));
  return Object.fromEntries(LATENCIES.map((name) => [name, spread(name)])) as Aggregate['latencies'];
}

/** @param sessions how many were looked at. */
function countsAndRates(
  measured: readonly Measured[],
  toolCalls: ToolCallCounts,
  incidents: readonly { readonly session_id: string; readonly kind: string }[],
  sessions: number,
): Pick<Aggregate, 'counts' | 'rates'> {
  const interrupted = measured.filter(({ turn }) => turn.wasInterrupted);
  const beforeAudio = interrupted.filter(({ turn }) => turn.interruptedStage !== 'while_speaking');
  const ofKind = (wanted: string) => incidents.filter(({ kind }) => kind === wanted);
  const sessionsWith = (kind: string): number => new Set(ofKind(kind).map((incident) => incident.session_id)).size;
  return {
    counts: {
      completedTurns: measured.filter(({ turn }) => turn.finishReason === 'completed').length,
      interruptedTurns: interrupted.length,
      interruptedBeforeAudioTurns: beforeAudio.length,
      totalErrors: ofKind('error').length,
      totalWarnings: ofKind('warning').length,
      sessionsWithErrors: sessionsWith('error'),
      sessionsWithWarnings: sessionsWith('warning'),
      toolCalls: { ...toolCalls, byName: { ...toolCalls.byName } },
    },
    rates: {
      interruptionRate: rate(interrupted.length, measured.length),
      interruptedBeforeAudioRate: rate(beforeAudio.length, measured.length),
      errorSessionRate: rate(sessionsWith('error'), sessions),
      warningSessionRate: rate(sessionsWith('warning'), sessions),
      toolCallFailureRate: rate(toolCalls.failed, toolCalls.total),
    },
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
