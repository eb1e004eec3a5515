import type { Store } from '../../store/open.ts';
import { turnFromRow } from './stored-turn.ts';

/**
 * The last moment at which something of a session was stored, ms on its clock; 0 when nothing was. For sessions whose
 * process was killed: nobody has noted their end.
 */
export async function lastActivity({ db }: Store, id: string): Promise<number> {
  const message = db
    .selectFrom('session_messages')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('session_id', '=', id);
  const incident = db
    .selectFrom('session_incidents')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('session_id', '=', id);
  const call = db
    .selectFrom('session_tool_calls')
    .select(({ fn }) => fn.max('started_at').as('at'))
    .where('session_id', '=', id);
  // It begins with the first frame, so it may be some seconds shorter than its session.
  const recording = db.selectFrom('recordings').select('duration_ms as at').where('session_id', '=', id);
  const turn = db
    .selectFrom('session_turns')
    .select('record_json')
    .where('session_id', '=', id)
    .orderBy('turn_index', 'desc')
    .limit(1);
  const log = db
    .selectFrom('session_events')
    .select('lines')
    .where('session_id', '=', id)
    .orderBy('sequence', 'desc')
    .limit(1);
  const moments = await Promise.all([
    ...[message, incident, call, recording].map(async (query) => Number((await query.executeTakeFirst())?.at ?? 0)),
    turn.executeTakeFirst().then((row) => (row === undefined ? 0 : lastTimeOfTurn(row.record_json))),
    log.executeTakeFirst().then((row) => (row === undefined ? 0 : lastTimeInLog(row.lines))),
  ]);
  return Math.max(0, ...moments);
}

function lastTimeOfTurn(json: string): number {
  const { userSpeechEndedAt, endOfTurnAt, llmFinalOutputAt, speakingStartedAt, speakingEndedAt } = turnFromRow(json);
  return Math.max(
    ...[userSpeechEndedAt, endOfTurnAt, llmFinalOutputAt, speakingStartedAt, speakingEndedAt].map((at) => at ?? 0),
  );
}

/** @param lines of the event log: each event begins with its time, and commands have none. */
function lastTimeInLog(lines: string): number {
  for (const line of lines.split('\n').toReversed()) {
    const at = /^\[(\d+(?:\.\d+)?),/.exec(line)?.[1];
    if (at !== undefined) return Number(at);
  }
  return 0;
}
