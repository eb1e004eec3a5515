import type { Amounts } from '../ports.ts';
import { realtimeTokens, type ReportedTokens } from './reported-tokens.ts';

/**
 * What a Realtime server sends, read from its JSON. Names of events are those of OpenAI's released interface; those of its
 * beta, which Azure's previews and other servers still send, mean the same.
 * https://platform.openai.com/docs/api-reference/realtime-server-events
 */

export type ServerEvent =
  /** Requests are accepted. */
  | { readonly type: 'ready' }
  /** `eventId`: of the request that it is about, if the server says so. */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly eventId: string | null }
  /** The model's VAD hears a voice begin or end. */
  | { readonly type: 'voice'; readonly voice: 'on' | 'off' }
  /** The audio so far is a message of the user. */
  | { readonly type: 'committed'; readonly itemId: string }
  | { readonly type: 'item'; readonly item: ServerItem; readonly after: string | null }
  | { readonly type: 'deleted'; readonly itemId: string }
  /** A piece of what the user said. */
  | { readonly type: 'user-words'; readonly itemId: string; readonly text: string }
  /** All that the user said; null: it could not be understood. */
  | { readonly type: 'user-text'; readonly itemId: string; readonly text: string | null }
  /** An answer begins. `tag`: what the request for it said; null: the server began by itself. */
  | { readonly type: 'response'; readonly responseId: string; readonly tag: string | null }
  /** The message that an answer becomes, before any of its words. */
  | { readonly type: 'answer-item'; readonly responseId: string; readonly itemId: string }
  /** `sound`: it is the transcript of what is heard. */
  | {
      readonly type: 'text';
      readonly as: 'sound' | 'text';
      readonly responseId: string;
      readonly itemId: string;
      readonly text: string;
    }
  /** Little-endian samples of 16 bits, 24 kHz, in base64. */
  | { readonly type: 'audio'; readonly responseId: string; readonly itemId: string; readonly base64: string }
  | { readonly type: 'call'; readonly responseId: string; readonly call: ServerItem }
  | {
      readonly type: 'response-done';
      readonly responseId: string;
      readonly status: 'completed' | 'cancelled' | 'incomplete' | 'failed';
      /** Code of the error, or why it is incomplete. */
      readonly reason: string;
      /** Null: the server does not say, or says it with `usage`. */
      readonly tokens: ReportedTokens | null;
    }
  /** What the model has done, for servers that answer also when nobody asks. */
  | { readonly type: 'usage'; readonly amounts: Amounts };

export interface ServerItem {
  readonly id: string;
  readonly kind: 'message' | 'function_call' | 'function_call_output' | 'other';
  readonly role: 'user' | 'assistant' | 'system' | null;
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
  /** What a message or a result says, where that is known with the item. */
  readonly text?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** @returns null for events that nobody here needs. @throws SyntaxError when it is no JSON, TypeError when it is no event. */
export function readServerEvent(text: string): ServerEvent | null {
  const event = object(JSON.parse(text));
  const type = string(event['type']);
  if (type === '') throw new TypeError('The message has no type.');
  return Object.hasOwn(READERS, type) ? READERS[type]!(event) : null;
}

const textAs =
  (as: 'sound' | 'text') =>
  (event: Json): ServerEvent => ({
    type: 'text',
    as,
    ...place(event),
    text: string(event['delta']),
  });
const audioDelta = (event: Json): ServerEvent => ({ type: 'audio', ...place(event), base64: string(event['delta']) });
const item = (event: Json): ServerEvent => ({
  type: 'item',
  item: serverItem(object(event['item'])),
  after: string(event['previous_item_id']) || null,
});

const READERS: Readonly<Record<string, (event: Json) => ServerEvent | null>> = {
  'session.created': () => ({ type: 'ready' }),
  error: (event) => readError(object(event['error'])),
  'input_audio_buffer.speech_started': () => ({ type: 'voice', voice: 'on' }),
  'input_audio_buffer.speech_stopped': () => ({ type: 'voice', voice: 'off' }),
  'input_audio_buffer.committed': (event) => ({ type: 'committed', itemId: string(event['item_id']) }),
  'conversation.item.added': item,
  'conversation.item.created': item,
  'conversation.item.deleted': (event) => ({ type: 'deleted', itemId: string(event['item_id']) }),
  'conversation.item.input_audio_transcription.delta': (event) => ({
    type: 'user-words',
    itemId: string(event['item_id']),
    text: string(event['delta']),
  }),
  'conversation.item.input_audio_transcription.completed': (event) => ({
    type: 'user-text',
    itemId: string(event['item_id']),
    text: string(event['transcript']),
  }),
  'conversation.item.input_audio_transcription.failed': (event) => ({
    type: 'user-text',
    itemId: string(event['item_id']),
    text: null,
  }),
  'response.created': (event) => {
    const response = object(event['response']);
    const tag = string(object(response['metadata'])['tag']) || null;
    return { type: 'response', responseId: string(response['id']), tag };
  },
  'response.output_audio_transcript.delta': textAs('sound'),
  'response.audio_transcript.delta': textAs('sound'),
  'response.output_text.delta': textAs('text'),
  'response.text.delta': textAs('text'),
  'response.output_audio.delta': audioDelta,
  'response.audio.delta': audioDelta,
  'response.output_item.added': (event) => {
    const { id, kind } = serverItem(object(event['item']));
    return kind === 'message' ? { type: 'answer-item', responseId: string(event['response_id']), itemId: id } : null;
  },
  'response.output_item.done': (event) => {
    const call = serverItem(object(event['item']));
    return call.kind === 'function_call' ? { type: 'call', responseId: string(event['response_id']), call } : null;
  },
  'response.done': (event) => readDone(object(event['response'])),
};

function readError(error: Json): ServerEvent {
  return {
    type: 'error',
    code: string(error['code']) || string(error['type']),
    message: string(error['message']),
    eventId: string(error['event_id']) || null,
  };
}

function readDone(response: Json): ServerEvent {
  const details = object(response['status_details']);
  const error = object(details['error']);
  const status = string(response['status']);
  return {
    type: 'response-done',
    responseId: string(response['id']),
    status: status === 'cancelled' || status === 'incomplete' || status === 'failed' ? status : 'completed',
    reason: string(error['code']) || string(error['type']) || string(details['reason']),
    tokens: realtimeTokens(response['usage']),
  };
}

function serverItem(given: Json): ServerItem {
  const type = string(given['type']);
  const role = string(given['role']);
  return {
    id: string(given['id']),
    kind: type === 'message' || type === 'function_call' || type === 'function_call_output' ? type : 'other',
    role: role === 'user' || role === 'assistant' || role === 'system' ? role : null,
    callId: string(given['call_id']),
    name: string(given['name']),
    arguments: string(given['arguments']),
  };
}

const place = (event: Json) => ({ responseId: string(event['response_id']), itemId: string(event['item_id']) });

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
