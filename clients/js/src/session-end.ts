import type { ClientError } from './errors.ts';

/** Why the service ends a session, by its codes. */
export const SERVICE_END_REASONS = [
  'end_call',
  'user_inactivity',
  'max_session_length',
  'stopped_by_api',
  'share_link_withdrawn',
  'usage_limit',
  'engine_shutdown',
  'engine_error',
  'meeting_ended',
  'never_connected',
  'connection_lost',
  /** The user had hung up already, for example in another window. */
  'client_disconnected',
] as const;

/** Why a session is over. */
export type EndReason =
  /** By this page. */
  | 'stopped'
  | (typeof SERVICE_END_REASONS)[number]
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

/** @param payload of `endsession`: a sentence. @param code beside it. */
export function endToldByService(payload: unknown, code: unknown): SessionEnd {
  const message = typeof payload === 'string' && payload !== '' ? payload : 'The session has ended.';
  return { reason: SERVICE_END_REASONS.find((reason) => reason === code) ?? 'other', message, error: null };
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
