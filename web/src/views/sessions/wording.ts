import type { AnalyticsTurn, SessionSummary } from '../../api/types.ts';
import type { SessionGrade } from './grade-api.ts';
import { EMPTY_TURN, type TurnRecord } from '../../session/turn-record.ts';

export const ENDINGS: Readonly<Record<string, string>> = {
  client_disconnected: 'Hung up',
  end_call: 'Ended by persona',
  user_inactivity: 'Silence',
  max_session_length: 'Time limit',
  stopped_by_api: 'Stopped',
  share_link_withdrawn: 'Link withdrawn',
  usage_limit: 'Usage limit',
  meeting_ended: 'Meeting over',
  engine_shutdown: 'Service stopped',
  connection_lost: 'Connection lost',
  never_connected: 'Never connected',
  engine_error: 'Internal error',
};

export const SOURCES: Readonly<Record<string, string>> = {
  api: 'API',
  console: 'Console',
  share_link: 'Share link',
  widget: 'Widget',
};

export const GRADES: Readonly<Record<SessionGrade['grade'], { readonly text: string; readonly tone: string }>> = {
  pending: { text: 'Being graded', tone: '' },
  passed: { text: 'Success', tone: 'good' },
  failed: { text: 'No success', tone: 'bad' },
  unclear: { text: 'Unclear', tone: '' },
  done: { text: 'Read', tone: 'good' },
  error: { text: 'Not graded', tone: 'bad' },
};

/** Null: this service does not tell. */
export const sourceText = ({ source }: Pick<SessionSummary, 'source'>): string | null =>
  source === undefined ? null : (SOURCES[source] ?? null);

export function versionText(version: NonNullable<SessionSummary['personaVersion']>): string {
  return version === 'draft' ? 'draft' : `version ${version}`;
}

export function endingOf(session: Pick<SessionSummary, 'endTime' | 'exitStatus' | 'end_reason'>): {
  text: string;
  tone: 'good live' | 'bad' | '';
} {
  if (session.endTime === null) return { text: 'Live', tone: 'good live' };
  const text = ENDINGS[session.end_reason ?? ''] ?? 'Ended';
  return { text, tone: session.exitStatus === 'ERROR' ? 'bad' : '' };
}

export function moment(time: string | null): string {
  return time === null ? '–' : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** 83000 → "1:23". */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function secondsText(value: number | null | undefined): string {
  return typeof value === 'number' ? `${value.toFixed(2)} s` : '–';
}

/**
 * The public analytics of a turn in the form of a live turn: wall-clock times become ms, and missing stages are null.
 */
export function turnRecordOf(turn: AnalyticsTurn): TurnRecord {
  const at = (time: string | null): number | null => (time === null ? null : Date.parse(time));
  return {
    ...EMPTY_TURN,
    turnIndex: turn.turnIndex,
    correlationId: turn.correlationId,
    userSpeechStartedAt: at(turn.userSpeechStartTime),
    userSpeechEndedAt: at(turn.userSpeechEndTime),
    transcribedAt: at(turn.userTranscriptionTime),
    llmFirstOutputAt: at(turn.llmFirstOutputTime),
    synthesisStartedAt: at(turn.ttsStartTime),
    speakingStartedAt: at(turn.personaStartSpeakingTime),
    speakingEndedAt: at(turn.personaStopSpeakingTime),
    finishReason: turn.finishReason,
    userText: turn.userMessage ?? null,
    personaText: turn.assistantMessage ?? null,
    providers: turn.providers,
  };
}
