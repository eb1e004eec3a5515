import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { flagQuery } from '../../http/paging.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { secondsOf } from '../../http/seconds.ts';
import { aggregateOf } from '../../sessions/analytics/aggregate-analytics.ts';
import {
  average,
  countToolCalls,
  rate,
  turnAnalytics,
  wordCount,
  type TurnAnalytics,
} from '../../sessions/analytics/analytics.ts';
import { aggregateAnalytics, aggregateQuery, sessionAnalytics } from '../../sessions/analytics/analytics-schema.ts';
import { findSession, keepsTranscript, lengthMs, toolCallsOf, turnsOf } from '../../sessions/records/session-rows.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { ADMIN } from '../../access/allows.ts';
import type { ToolCallRecord, TurnRecord } from '../../../actors/report.ts';
import type { Store } from '../../store/open.ts';
import type { SessionRow } from '../../store/tables.ts';

/** What these routes take of the service. */
export interface AnalyticsRoutesParts {
  readonly store: Store;
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
/** Longest period of one aggregate. */
const MAX_MS = 31 * DAY_MS;

/** How fast sessions answered, how often they were interrupted, what their tools did. */
export function analyticsRoutes(app: App, control: AnalyticsRoutesParts): void {
  readAnalyticsRoute(app, control);
  aggregateAnalyticsRoute(app, control);
}

function readAnalyticsRoute(app: App, control: AnalyticsRoutesParts): void {
  app.get(
    '/v1/sessions/:id/analytics',
    {
      config: { pathId: { status: 400, missing: sessionErrors.sessionNotFound } },
      schema: {
        summary: 'Analytics of a session',
        params: idPath,
        querystring: z.object({ includeMessages: flagQuery.default(false) }),
        response: { 200: sessionAnalytics, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await findSession(control, callerOf(request), request.params.id);
      return analyticsOf(control, row, { messages: request.query.includeMessages });
    },
  );
}

/** @param wanted.messages whether turns have their words. @throws HttpError 404 */
async function analyticsOf(
  { store }: Pick<AnalyticsRoutesParts, 'store'>,
  row: SessionRow,
  wanted: { readonly messages: boolean },
): Promise<z.infer<typeof sessionAnalytics>> {
  if (row.end_time === null)
    throw new HttpError(sessionErrors.analyticsNotFound, { message: 'The session is still running.' });
  const [records, calls, incidents] = await Promise.all([
    turnsOf({ store }, row.id),
    toolCallsOf({ store }, row.id),
    store.db.selectFrom('session_incidents').select('kind').where('session_id', '=', row.id).execute(),
  ]);
  if (records.length === 0 && row.exit_status === 'ERROR')
    throw new HttpError(sessionErrors.analyticsNotFound, { message: 'The session left no report.' });
  const messages = wanted.messages && keepsTranscript(row);
  const turns = records.map((record) => turnAnalytics(record, calls, Date.parse(row.start_time), messages));
  const length = lengthMs(row);
  return {
    sessionId: row.id,
    startTime: row.start_time,
    endTime: row.end_time,
    durationSeconds: length === null ? null : secondsOf(length),
    sessionType: row.session_type,
    exitStatus: row.exit_status,
    end_reason: row.end_reason,
    end_message: row.end_message,
    endReason: row.end_reason,
    endMessage: row.end_message,
    clientLabel: row.client_label,
    clientMetadata: row.client_metadata_json === null ? null : JSON.parse(row.client_metadata_json),
    personaId: row.persona_id,
    apiKeyId: row.api_key_id,
    config: configOf(row),
    summary: summaryOf(turns, records, calls, incidents),
    turns: turns.map((turn) => ({ ...turn, toolCalls: [...turn.toolCalls] })),
  };
}

function configOf(row: SessionRow): z.infer<typeof sessionAnalytics>['config'] {
  const snapshot = JSON.parse(row.snapshot_json) as Record<string, unknown> & {
    llmConfig: { format?: string; modelName?: string } | null;
  };
  return {
    llmProvider: snapshot.llmConfig?.format ?? null,
    llmModel: snapshot.llmConfig?.modelName ?? null,
    ttsProvider: text(snapshot.ttsProvider),
    ttsVoice: text(snapshot.ttsProviderVoiceId),
    avatarKey: text(snapshot.avatarEngineKey),
    personaName: row.persona_name,
    languageCode: text(snapshot.languageCode),
    transcriptsEnabled: keepsTranscript(row),
  };
}

function summaryOf(
  turns: readonly TurnAnalytics[],
  records: readonly TurnRecord[],
  calls: readonly ToolCallRecord[],
  incidents: readonly { readonly kind: string }[],
): z.infer<typeof sessionAnalytics>['summary'] {
  const interruptedTurns = turns.filter((turn) => turn.wasInterrupted).length;
  const speechSeconds = turns.reduce((sum, turn) => sum + (turn.userSpeechDurationSeconds ?? 0), 0);
  return {
    totalTurns: turns.length,
    completedTurns: turns.filter((turn) => turn.finishReason === 'completed').length,
    interruptedTurns,
    interruptionRate: rate(interruptedTurns, turns.length),
    totalUserSpeechDurationSeconds: secondsOf(speechSeconds * 1000),
    totalUserWords: wordCount(records.map((record) => record.userText)),
    totalAssistantWords: wordCount(records.map((record) => record.personaText)),
    totalWarnings: incidents.filter(({ kind }) => kind === 'warning').length,
    totalErrors: incidents.filter(({ kind }) => kind === 'error').length,
    toolCalls: countToolCalls(calls),
    averageLatencies: {
      transcriptionLatencySeconds: average(turns.map((turn) => turn.transcriptionLatencySeconds)),
      llmTimeToFirstOutputSeconds: average(turns.map((turn) => turn.llmTimeToFirstOutputSeconds)),
      ttsGenerationDurationSeconds: average(turns.map((turn) => turn.ttsGenerationDurationSeconds)),
      firstAudioLatencySeconds: average(turns.map((turn) => turn.firstAudioLatencySeconds)),
    },
  };
}

function aggregateAnalyticsRoute(app: App, control: AnalyticsRoutesParts): void {
  app.get(
    '/v1/sessions/analytics',
    {
      schema: {
        summary: 'Analytics of many sessions',
        querystring: aggregateQuery,
        response: { 200: aggregateAnalytics, ...errorAnswers(400) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { organizationId, ...filters } = request.query;
      if (organizationId !== undefined && !caller.scopes.includes(ADMIN))
        throw new HttpError('forbidden', { message: 'organizationId needs a key with the scope "admin".' });
      const to = filters.to === undefined ? control.now() : Date.parse(filters.to);
      const from = filters.from === undefined ? to - DAY_MS : Date.parse(filters.from);
      if (Number.isNaN(new Date(from).getTime()) || from > to) throw invalid([detail('from', 'must be before to')]);
      if (to - from > MAX_MS) throw invalid([detail('from', 'The period may be at most 31 days')]);
      return aggregateOf(control, { organizationId: organizationId ?? caller.organizationId, from, to, filters });
    },
  );
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
