import type { ToolCall } from './tool-call.ts';

/** A piece of what the user or the persona says. */
export interface MessageStreamEvent {
  /** Of the message: its role and the service's id, because a reply may have the id of its question. */
  readonly id: string;
  readonly role: 'user' | 'persona';
  /** Joined to the other pieces as it is, without a space. */
  readonly content: string;
  /** Place among the pieces of its message, from 0. */
  readonly contentIndex: number;
  readonly endOfSpeech: boolean;
  readonly interrupted: boolean;
  /** The turn: what belongs to one action of the user has one id. */
  readonly correlationId: string;
  readonly utteranceId?: string;
  readonly cueTag?: string;
}

export interface ReasoningStreamEvent {
  readonly id: string;
  readonly role: 'persona';
  readonly content: string;
  readonly endOfThought: boolean;
}

export interface PersonaConfigUpdateAppliedEvent {
  /** By path, for example `voiceDetectionOptions.endOfSpeechSensitivity`. What had the value already is left out. */
  readonly changedFields: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
}

export interface DirectorNoteCueAppliedEvent {
  readonly cueTag: string;
  readonly correlationId: string;
}

/** One message of the data channel. */
export type ServerMessage =
  | { readonly kind: 'speech'; readonly event: MessageStreamEvent }
  | { readonly kind: 'reasoning'; readonly event: ReasoningStreamEvent }
  | { readonly kind: 'user-speech'; readonly phase: 'started' | 'ended'; readonly correlationId: string }
  | { readonly kind: 'tool-call'; readonly phase: 'started' | 'completed' | 'failed'; readonly call: ToolCall }
  | { readonly kind: 'config-update'; readonly update: PersonaConfigUpdateAppliedEvent }
  | { readonly kind: 'cue'; readonly cue: DirectorNoteCueAppliedEvent };

type Fields = Readonly<Record<string, unknown>>;

/** @returns null for a message that is malformed or of an unknown type. */
export function parseServerMessage(text: string): ServerMessage | null {
  const message = parsed(text);
  const data = message?.['data'];
  if (message === null || !isFields(data)) return null;
  switch (message['messageType']) {
    case 'speechText':
      return { kind: 'speech', event: speechOf(data) };
    case 'reasoningText':
      return {
        kind: 'reasoning',
        event: {
          id: `persona::${textOf(data['message_id'])}`,
          role: 'persona',
          content: textOf(data['content']),
          endOfThought: data['end_of_thought'] === true,
        },
      };
    case 'userSpeechStarted':
      return { kind: 'user-speech', phase: 'started', correlationId: textOf(data['user_action_correlation_id']) };
    case 'userSpeechEnded':
      return { kind: 'user-speech', phase: 'ended', correlationId: textOf(data['user_action_correlation_id']) };
    case 'toolCallStarted':
      return { kind: 'tool-call', phase: 'started', call: callOf(data) };
    case 'toolCallCompleted':
      return { kind: 'tool-call', phase: 'completed', call: { ...callOf(data), ...resultOf(data) } };
    case 'toolCallFailed':
      return {
        kind: 'tool-call',
        phase: 'failed',
        call: { ...callOf(data), errorMessage: textOf(data['error_message']) },
      };
    case 'personaConfigUpdateApplied':
      return { kind: 'config-update', update: { changedFields: changesOf(data['changed_fields']) } };
    case 'directorNoteCueApplied':
      return {
        kind: 'cue',
        cue: { cueTag: textOf(data['cue_tag']), correlationId: textOf(data['user_action_correlation_id']) },
      };
    default:
      return null;
  }
}

function speechOf(data: Fields): MessageStreamEvent {
  const role = data['role'] === 'user' ? 'user' : 'persona';
  const { utterance_id: utteranceId, cue_tag: cueTag, content_index: index } = data;
  return {
    id: `${role}::${textOf(data['message_id'])}`,
    role,
    content: textOf(data['content']),
    contentIndex: typeof index === 'number' ? index : 0,
    endOfSpeech: data['end_of_speech'] === true,
    interrupted: data['interrupted'] === true,
    correlationId: textOf(data['user_action_correlation_id']) || textOf(data['correlationId']),
    ...(typeof utteranceId === 'string' && { utteranceId }),
    ...(typeof cueTag === 'string' && { cueTag }),
  };
}

function callOf(data: Fields): ToolCall {
  const { tool_type: type, tool_subtype: subtype, arguments: args } = data;
  return {
    eventUid: textOf(data['event_uid']),
    sessionId: textOf(data['session_id']),
    toolCallId: textOf(data['tool_call_id']),
    toolName: textOf(data['tool_name']),
    toolType: type === 'client' || type === 'system' ? type : 'server',
    ...(typeof subtype === 'string' && { toolSubtype: subtype }),
    arguments: isFields(args) ? args : {},
    timestamp: textOf(data['timestamp']),
    timestampUserAction: textOf(data['timestamp_user_action']),
    userActionCorrelationId: textOf(data['user_action_correlation_id']),
  };
}

function resultOf(data: Fields): Pick<ToolCall, 'result' | 'documentsAccessed'> {
  const documents = data['documents_accessed'];
  return {
    result: data['result'],
    ...(Array.isArray(documents) && {
      documentsAccessed: documents.filter((name): name is string => typeof name === 'string'),
    }),
  };
}

function changesOf(value: unknown): PersonaConfigUpdateAppliedEvent['changedFields'] {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, object] => isFields(entry[1])));
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
