import { z } from 'zod';
import { parseBoundedJson, JsonLimitError } from '../../actors/bounded-json.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { participantName } from '../../actors/meeting/participant-name.ts';

/** What a client may send on the data channel: flat objects with a `message_type`. Anything else is ignored. */

/** Longer texts are refused: nobody says or types that much in one turn. */
export const MAX_TEXT_BYTES = 32 * 1024;

const text = z
  .string()
  .min(1)
  .refine((value) => Buffer.byteLength(value) <= MAX_TEXT_BYTES);
const seconds = z.number().nullish();
/** More people than any meeting shows at once. */
const MAX_PARTICIPANTS = 200;
/** Characters of a name as it comes; it is cut after that. One endless name must not hide who else is there. */
const MAX_NAME_LENGTH = 1_000;
const participantId = z.string().min(1).max(128);

const clientMessageSchema = z.discriminatedUnion('message_type', [
  z.object({ message_type: z.literal('speech'), content: text }),
  z.object({ message_type: z.literal('interrupt') }),
  z.object({ message_type: z.literal('context'), content: text }),
  z.object({
    message_type: z.literal('director_note_cue'),
    cue: z.object({ tag: z.string().max(256) }),
    in_seconds: seconds,
    at_seconds: seconds,
  }),
  z.object({
    message_type: z.literal('tool_result'),
    tool_call_id: z.string().min(1).max(256),
    result: z.unknown().optional(),
    error: z.string().max(MAX_TEXT_BYTES).nullish(),
  }),
  z.object({ message_type: z.literal('persona_config'), data: z.unknown() }),
  z.object({
    message_type: z.literal('meeting_participants'),
    participants: z
      .array(z.object({ id: participantId, name: z.string().max(MAX_NAME_LENGTH).transform(participantName) }))
      .max(MAX_PARTICIPANTS),
  }),
  z.object({ message_type: z.literal('meeting_speaking'), participant_id: participantId, speaking: z.boolean() }),
]);

function toEvent(message: z.infer<typeof clientMessageSchema>): SessionEvent {
  switch (message.message_type) {
    case 'speech':
      return { type: 'client.text', content: message.content };
    case 'interrupt':
      return { type: 'client.interrupt' };
    case 'context':
      return { type: 'client.context', content: message.content };
    case 'director_note_cue':
      return {
        type: 'client.cue',
        tag: message.cue.tag,
        inSeconds: message.in_seconds ?? null,
        atSeconds: message.at_seconds ?? null,
        problem: null,
      };
    case 'tool_result':
      return {
        type: 'client.toolResult',
        toolCallId: message.tool_call_id,
        result: message.result ?? null,
        error: message.error ?? null,
      };
    case 'persona_config':
      return { type: 'client.personaConfig', data: message.data };
    case 'meeting_participants':
      return { type: 'meeting.participants', participants: message.participants };
    case 'meeting_speaking':
      return { type: 'meeting.speaking', participantId: message.participant_id, speaking: message.speaking };
  }
}

export type ClientMessageType = z.infer<typeof clientMessageSchema>['message_type'];

export type ParsedClientMessage =
  | { readonly kind: 'event'; readonly messageType: ClientMessageType; readonly event: SessionEvent }
  | { readonly kind: 'ignored'; readonly problem: string | null };

/** What a session is, as far as it decides what its client may send. */
export interface MessageContext {
  readonly sessionId: string;
  /** Whether the client is a meeting, and tells who is there and who speaks. */
  readonly inMeeting: boolean;
}

const OF_MEETINGS: ReadonlySet<ClientMessageType> = new Set(['meeting_participants', 'meeting_speaking']);

/**
 * @returns `problem` for a message that was meant and cannot be used (it names fields, never their contents); null for
 * noise.
 */
export function parseClientMessage(raw: string, { sessionId, inMeeting }: MessageContext): ParsedClientMessage {
  let message: unknown;
  try {
    message = parseBoundedJson(raw);
  } catch (error) {
    return { kind: 'ignored', problem: error instanceof JsonLimitError ? `it ${error.message}` : null };
  }
  if (typeof message !== 'object' || message === null) return { kind: 'ignored', problem: null };
  const { session_id: addressee, message_type: type } = message as { session_id?: unknown; message_type?: unknown };
  if (typeof addressee === 'string' && addressee !== sessionId) return { kind: 'ignored', problem: null };
  const parsed = clientMessageSchema.safeParse(message);
  if (parsed.success) {
    const messageType = parsed.data.message_type;
    if (OF_MEETINGS.has(messageType) && !inMeeting)
      return { kind: 'ignored', problem: `${messageType}: this session is not in a meeting` };
    return { kind: 'event', messageType, event: toEvent(parsed.data) };
  }
  const known = clientMessageSchema.options.some((option) => option.shape.message_type.value === type);
  return {
    kind: 'ignored',
    problem: known
      ? `${String(type)}: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')} is not valid`
      : null,
  };
}
