/** The data-channel messages of the service, as far as the console shows them. */
export type DataMessage =
  | {
      readonly kind: 'speech';
      readonly role: 'user' | 'persona';
      readonly messageId: string;
      readonly text: string;
      readonly last: boolean;
      readonly interrupted: boolean;
      readonly turn: string;
    }
  | { readonly kind: 'reasoning'; readonly messageId: string; readonly text: string; readonly last: boolean }
  | { readonly kind: 'user-speech'; readonly speaking: boolean; readonly turn: string }
  | {
      readonly kind: 'tool';
      readonly phase: 'started' | 'completed' | 'failed';
      readonly callId: string;
      readonly name: string;
      readonly owner: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly turn: string;
      readonly userActionAt: string;
      readonly error: string | null;
      readonly documents: readonly string[];
    }
  | { readonly kind: 'settings'; readonly changed: readonly string[] }
  | { readonly kind: 'cue'; readonly tag: string };

type Fields = Readonly<Record<string, unknown>>;

/** @returns null for messages that are malformed or of a kind that the console does not show. */
export function parseDataMessage(text: string): DataMessage | null {
  const message = parsed(text);
  const data = message?.data;
  if (typeof message?.messageType !== 'string' || !isFields(data)) return null;
  switch (message.messageType) {
    case 'speechText':
      return {
        kind: 'speech',
        role: data.role === 'user' ? 'user' : 'persona',
        messageId: string(data.message_id),
        text: string(data.content),
        last: data.end_of_speech === true,
        interrupted: data.interrupted === true,
        turn: string(data.user_action_correlation_id),
      };
    case 'reasoningText':
      return {
        kind: 'reasoning',
        messageId: string(data.message_id),
        text: string(data.content),
        last: data.end_of_thought === true,
      };
    case 'userSpeechStarted':
    case 'userSpeechEnded':
      return {
        kind: 'user-speech',
        speaking: message.messageType === 'userSpeechStarted',
        turn: string(data.user_action_correlation_id),
      };
    case 'toolCallStarted':
      return toolMessage('started', data);
    case 'toolCallCompleted':
      return toolMessage('completed', data);
    case 'toolCallFailed':
      return toolMessage('failed', data);
    case 'personaConfigUpdateApplied':
      return { kind: 'settings', changed: isFields(data.changed_fields) ? Object.keys(data.changed_fields) : [] };
    case 'directorNoteCueApplied':
      return { kind: 'cue', tag: string(data.cue_tag) };
    default:
      return null;
  }
}

function toolMessage(phase: 'started' | 'completed' | 'failed', data: Fields): DataMessage {
  return {
    kind: 'tool',
    phase,
    callId: string(data.tool_call_id),
    name: string(data.tool_name),
    owner: string(data.tool_type),
    args: isFields(data.arguments) ? data.arguments : {},
    turn: string(data.user_action_correlation_id),
    userActionAt: string(data.timestamp_user_action),
    error: phase === 'failed' ? string(data.error_message) : null,
    documents: Array.isArray(data.documents_accessed)
      ? data.documents_accessed.filter((name) => typeof name === 'string')
      : [],
  };
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
