import { z } from 'zod';

/** Times are ISO 8601 texts in UTC. */
const text = z.string();

/** One chunk of a message; clients concatenate the contents of one `message_id` without separators. */
const speechText = z.object({
  message_id: text,
  content_index: z.int().describe('Place among the chunks of the message, from 0.'),
  content: text.describe('Joined to the other chunks as it is. The last one can be empty.'),
  role: z.enum(['user', 'persona']),
  end_of_speech: z.boolean().describe('The last chunk of the message.'),
  interrupted: z.boolean(),
  user_action_correlation_id: text.describe('The turn: what belongs to one action of the user has one id.'),
  timestamp: text,
  correlationId: text
    .optional()
    .describe('Only for speech from a talk stream: the same value as `user_action_correlation_id`.'),
  utterance_id: text.optional().describe('Only for speech from a talk stream with utterances.'),
  cue_tag: text.optional().describe("The director's cue that begins with this chunk."),
});

const reasoningText = z.object({
  message_id: text,
  content_index: z.int(),
  content: text,
  role: z.literal('persona'),
  end_of_thought: z.boolean(),
});

const userSpeechMark = z.object({ user_action_correlation_id: text, session_id: text, timestamp: text });

const toolCall = z.object({
  event_uid: text.describe('The same if the message is repeated after an outage.'),
  session_id: text,
  tool_call_id: text,
  tool_name: text,
  tool_type: z.enum(['client', 'server', 'system']),
  tool_subtype: z.enum(['rag', 'webhook']).nullable(),
  arguments: z.record(z.string(), z.unknown()),
  timestamp: text,
  timestamp_user_action: text,
  user_action_correlation_id: text,
  used_outside_engine: z.literal(true),
});

const configUpdate = z.object({
  session_id: text,
  changed_fields: z
    .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
    .describe('By path, for example `voiceDetectionOptions.endOfSpeechSensitivity`.'),
});

const cueApplied = z.object({
  session_id: text,
  user_action_correlation_id: text,
  timestamp_user_action: text,
  cue_tag: text,
});

const message = <Type extends string, Data extends z.ZodType>(messageType: Type, data: Data) =>
  z.object({ messageType: z.literal(messageType), data });

/** What the server writes on the data channel: `{ messageType, data }`, keys of `data` in snake_case. */
export const serverMessage = z.discriminatedUnion('messageType', [
  message('speechText', speechText),
  message('reasoningText', reasoningText),
  message('userSpeechStarted', userSpeechMark),
  message('userSpeechEnded', userSpeechMark),
  message('toolCallStarted', toolCall),
  message(
    'toolCallCompleted',
    toolCall.extend({
      result: z.unknown(),
      documents_accessed: z.array(text).readonly().optional().describe('Only for knowledge: the files that it read.'),
    }),
  ),
  message('toolCallFailed', toolCall.extend({ error_message: text })),
  message('personaConfigUpdateApplied', configUpdate),
  message('directorNoteCueApplied', cueApplied),
]);

export type ServerMessage = Readonly<z.infer<typeof serverMessage>>;
export type SpeechText = Readonly<z.infer<typeof speechText>>;
export type ReasoningText = Readonly<z.infer<typeof reasoningText>>;
export type ToolCallEvent = Readonly<z.infer<typeof toolCall>>;
