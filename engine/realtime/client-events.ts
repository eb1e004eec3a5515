import { z } from 'zod';
import { JsonLimitError, parseBoundedJson } from '../../actors/bounded-json.ts';
import { sessionUpdate } from './realtime-settings.ts';

/** What a Realtime client may send; names are those of OpenAI's released interface and of its beta, which are the same. */
const id = z.string().min(1).max(256);
/** Of texts everywhere in a session. */
const MAX_TEXT_LENGTH = 32 * 1024;
const text = z.string().min(1).max(MAX_TEXT_LENGTH);

const part = z.object({
  type: z.enum(['input_text', 'text'], 'only text: sound goes with input_audio_buffer.append'),
  text,
});
const item = z.discriminatedUnion('type', [
  z.object({
    id: id.nullish(),
    type: z.literal('message'),
    role: z.enum(['user', 'system'], 'must be user or system: what the persona says is its own'),
    content: z.array(part).min(1).max(32),
  }),
  z.object({
    id: id.nullish(),
    type: z.literal('function_call_output'),
    call_id: id,
    output: z.string().max(MAX_TEXT_LENGTH),
  }),
]);

const event = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.object({ type: z.literal(type), event_id: z.string().max(512).nullish(), ...fields });

const clientEvent = z.discriminatedUnion('type', [
  event('session.update', { session: sessionUpdate }),
  event('input_audio_buffer.append', { audio: z.string() }),
  event('input_audio_buffer.commit', {}),
  event('input_audio_buffer.clear', {}),
  event('conversation.item.create', { previous_item_id: z.string().nullish(), item }),
  event('conversation.item.truncate', { item_id: id, content_index: z.number().nullish(), audio_end_ms: z.number() }),
  event('conversation.item.retrieve', { item_id: id }),
  event('response.create', { response: z.looseObject({}).nullish() }),
  event('response.cancel', { response_id: id.nullish() }),
  event('output_audio_buffer.clear', {}),
]);
export type ClientEvent = z.infer<typeof clientEvent>;

/** Events of the interface that a persona has no use for, and why. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  'conversation.item.delete': 'A persona remembers what was said: items cannot be deleted.',
  'transcription_session.update': 'A persona answers: sessions that only transcribe are not available.',
};

export interface EventProblem {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly eventId: string | null;
}

/** Reads one message. Never throws. */
export function readClientEvent(
  raw: string,
): { readonly ok: true; readonly event: ClientEvent } | { readonly ok: false; readonly problem: EventProblem } {
  let value: unknown;
  try {
    value = parseBoundedJson(raw);
  } catch (error) {
    const message = error instanceof JsonLimitError ? `The message ${error.message}.` : 'The message is not JSON.';
    return { ok: false, problem: { code: 'invalid_json', message, param: null, eventId: null } };
  }
  const read = clientEvent.safeParse(value);
  if (read.success) return { ok: true, event: read.data };
  return { ok: false, problem: problemOf(value, read.error) };
}

function problemOf(value: unknown, error: z.ZodError): EventProblem {
  const { type, event_id: given } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly type?: unknown;
    readonly event_id?: unknown;
  };
  const eventId = typeof given === 'string' ? given.slice(0, 512) : null;
  const known = clientEvent.options.some((option) => option.shape.type.value === type);
  if (!known) {
    const why = typeof type === 'string' ? NOT_TAKEN[type] : undefined;
    const message = why ?? 'The type of the event is not known.';
    return { code: 'invalid_value', message, param: 'type', eventId };
  }
  const issue = error.issues[0]!;
  const param = issue.path.join('.');
  return { code: 'invalid_value', message: `${param}: ${issue.message}`, param, eventId };
}
