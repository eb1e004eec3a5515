import type { ClientError } from './errors.ts';

/** Why a session is over. The first is this page's own doing; those after it are the service's reasons. */
export type EndReason =
  | 'stopped'
  | 'end_call'
  | 'user_inactivity'
  | 'max_session_length'
  | 'stopped_by_api'
  | 'share_link_withdrawn'
  | 'usage_limit'
  | 'engine_shutdown'
  | 'engine_error'
  | 'meeting_ended'
  | 'never_connected'
  | 'connection_lost'
  /** Another page continues the conversation. */
  | 'replaced'
  /** It could not be connected. `error` says why. */
  | 'not_connected'
  /** The service gave a reason that this client does not know. `message` has it. */
  | 'other';

/** Why a connection was closed, by the names of the public clients. `SessionEnd` says it more exactly. */
export type ConnectionClosedCode =
  | 'CONNECTION_CLOSED_CODE_NORMAL'
  | 'CONNECTION_CLOSED_CODE_MICROPHONE_PERMISSION_DENIED'
  | 'CONNECTION_CLOSED_CODE_SIGNALLING_CLIENT_CONNECTION_FAILURE'
  | 'CONNECTION_CLOSED_CODE_WEBRTC_FAILURE'
  | 'CONNECTION_CLOSED_CODE_SERVER_CLOSED_CONNECTION';

export interface SessionEnd {
  readonly reason: EndReason;
  /** A sentence for the user. */
  readonly message: string;
  /** Null for an end that was meant. */
  readonly error: ClientError | null;
}

/** The texts of the service's `endsession`. */
const REASONS_BY_TEXT: Readonly<Record<string, EndReason>> = {
  'The call was ended by the persona.': 'end_call',
  'Session ended due to inactivity.': 'user_inactivity',
  'Maximum session length reached.': 'max_session_length',
  'Session was stopped.': 'stopped_by_api',
  'The link to this conversation was withdrawn.': 'share_link_withdrawn',
  'Usage limit reached.': 'usage_limit',
  'The service is shutting down.': 'engine_shutdown',
  'An internal error occurred.': 'engine_error',
  'The meeting has ended.': 'meeting_ended',
  'Session expired before it was connected.': 'never_connected',
  'Connection lost.': 'connection_lost',
};

/** @param payload of `endsession`. */
export function endToldByService(payload: unknown): SessionEnd {
  const message = typeof payload === 'string' && payload !== '' ? payload : 'The session has ended.';
  return { reason: REASONS_BY_TEXT[message] ?? 'other', message, error: null };
}

export function endByError(reason: 'connection_lost' | 'not_connected', error: ClientError): SessionEnd {
  return { reason, message: error.message, error };
}

/** The same by the names of the public clients. */
export function closedCodeOf({ reason, error }: SessionEnd): ConnectionClosedCode {
  if (reason === 'stopped') return 'CONNECTION_CLOSED_CODE_NORMAL';
  if (error === null) return 'CONNECTION_CLOSED_CODE_SERVER_CLOSED_CONNECTION';
  if (error.code === 'network') return 'CONNECTION_CLOSED_CODE_SIGNALLING_CLIENT_CONNECTION_FAILURE';
  if (error.code.startsWith('microphone') || error.code === 'insecure_page')
    return 'CONNECTION_CLOSED_CODE_MICROPHONE_PERMISSION_DENIED';
  return 'CONNECTION_CLOSED_CODE_WEBRTC_FAILURE';
}
