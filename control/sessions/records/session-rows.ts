import type { ToolCallRecord, TurnRecord, UsageRecord } from '../../../actors/report.ts';
import { totalOf } from '../../costs/cost-schema.ts';
import { costOf } from '../../costs/session-costs.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { SessionRow } from '../../store/tables.ts';
import { CONSOLE_LABEL } from './session-filter.ts';
import type { SessionResponse } from './session-schema.ts';
import { turnFromRow } from './stored-turn.ts';
import { versionOfColumn } from '../../api/personas/version-rows.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { ADMIN } from '../../access/allows.ts';
import type { Store } from '../../store/open.ts';

/** What is taken of the service here. */
interface SessionRowsParts {
  readonly store: Store;
}

/** @param usage what was counted of it. */
export function sessionOf(row: SessionRow, engineVersion: string, usage: readonly UsageRecord[]): SessionResponse {
  return {
    id: row.id,
    personaId: row.persona_id,
    personaVersion: versionOfColumn(row.persona_version),
    clientLabel: row.client_label,
    source: sourceOf(row),
    startTime: row.start_time,
    endTime: row.end_time,
    sessionLengthMs: lengthMs(row),
    exitStatus: row.exit_status,
    end_reason: row.end_reason,
    end_message: row.end_message,
    endReason: row.end_reason,
    endMessage: row.end_message,
    grade: row.grade,
    cost: totalOf(costOf(row, usage)),
    engineHost: row.engine_host,
    engineProtocol: row.engine_protocol,
    engineVersion,
    region: row.region,
    clientMetadata: row.client_metadata_json === null ? null : JSON.parse(row.client_metadata_json),
    personaConfig: JSON.parse(row.snapshot_json),
    contentDeletedAt: row.expired_at,
    apiKeyId: row.api_key_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Where it came from. */
export function sourceOf(
  row: Pick<SessionRow, 'share_link_id' | 'api_key_id' | 'user_id' | 'client_label'>,
): SessionResponse['source'] {
  if (row.share_link_id !== null) return 'share_link';
  if (row.api_key_id === null && row.user_id === null) return 'widget';
  return row.client_label === CONSOLE_LABEL ? 'console' : 'api';
}

/** Null while it lasts. */
export function lengthMs(row: Pick<SessionRow, 'start_time' | 'end_time'>): number | null {
  return row.end_time === null ? null : Math.max(0, Date.parse(row.end_time) - Date.parse(row.start_time));
}

/** Transcripts are kept unless the persona retains nothing or they are too old. */
export function keepsTranscript(row: SessionRow): boolean {
  return row.zero_data_retention === 0 && row.expired_at === null;
}

/** @throws HttpError 404. Keys with the scope `admin` see the sessions of all organizations. */
export async function findSession(
  { store }: SessionRowsParts,
  caller: { organizationId: string; scopes: readonly string[] },
  id: string,
): Promise<SessionRow> {
  let rows = store.db.selectFrom('sessions').selectAll().where('id', '=', id);
  if (!caller.scopes.includes(ADMIN)) rows = rows.where('organization_id', '=', caller.organizationId);
  const row = await rows.executeTakeFirst();
  if (row === undefined) throw new HttpError(sessionErrors.sessionNotFound);
  return row;
}

export async function turnsOf({ store }: SessionRowsParts, sessionId: string): Promise<TurnRecord[]> {
  const rows = await store.db
    .selectFrom('session_turns')
    .select('record_json')
    .where('session_id', '=', sessionId)
    .orderBy('turn_index')
    .execute();
  return rows.map((row) => turnFromRow(row.record_json));
}

export async function toolCallsOf({ store }: SessionRowsParts, sessionId: string): Promise<ToolCallRecord[]> {
  const rows = await store.db
    .selectFrom('session_tool_calls')
    .select('record_json')
    .where('session_id', '=', sessionId)
    .orderBy('started_at')
    .execute();
  return rows.map((row) => JSON.parse(row.record_json) as ToolCallRecord);
}

/** Wall-clock time of a moment on the session's clock. */
export function timeIn(row: Pick<SessionRow, 'start_time'>, at: number): string {
  return new Date(Date.parse(row.start_time) + at).toISOString();
}
