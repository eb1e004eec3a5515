import type { SessionEnd, EndReason } from '../report.ts';

interface End {
  /** Stored as `end_message`. */
  readonly message: string;
  /** Text of `endsession`; null when the client needs none, because it left itself. */
  readonly told: string | null;
  readonly exitStatus: SessionEnd['exitStatus'];
}

function told(message: string, exitStatus: SessionEnd['exitStatus']): End {
  return { message, told: message, exitStatus };
}

/** Why a session can end, what the client is told, and how the report counts it. */
const ENDS: Readonly<Record<EndReason, End>> = {
  client_disconnected: { message: 'The client disconnected.', told: null, exitStatus: 'NORMAL_EXIT' },
  end_call: told('The call was ended by the persona.', 'CLOSED_BY_ENGINE'),
  user_inactivity: told('Session ended due to inactivity.', 'CLOSED_BY_ENGINE'),
  max_session_length: told('Maximum session length reached.', 'CLOSED_BY_ENGINE'),
  stopped_by_api: told('Session was stopped.', 'CLOSED_BY_ENGINE'),
  share_link_withdrawn: told('The link to this conversation was withdrawn.', 'CLOSED_BY_ENGINE'),
  usage_limit: told('Usage limit reached.', 'CLOSED_BY_ENGINE'),
  meeting_ended: told('The meeting has ended.', 'NORMAL_EXIT'),
  engine_shutdown: told('The service is shutting down.', 'CLOSED_BY_ENGINE'),
  connection_lost: told('Connection lost.', 'ERROR'),
  never_connected: told('Session expired before it was connected.', 'ERROR'),
  engine_error: told('An internal error occurred.', 'ERROR'),
};

export const END_REASONS = Object.keys(ENDS) as readonly EndReason[];

export function endOf(reason: EndReason): End {
  return ENDS[reason];
}

/** The last entry of a session's report. @param at ms on the session's clock. */
export function sessionEnd(reason: EndReason, connected: boolean, at: number): SessionEnd {
  const { message, exitStatus } = ENDS[reason];
  return { reason, message, exitStatus, connected, at };
}
