import type { ServerMessage, ToolCallEvent } from '../messages.ts';

const call = {
  event_uid: 'e-51',
  session_id: 's-1',
  tool_call_id: 'c-61',
  tool_name: 'find_rooms',
  tool_type: 'server',
  tool_subtype: 'rag',
  arguments: { question: 'Which rooms are free?' },
  timestamp: '2026-11-21T00:55:12.000Z',
  timestamp_user_action: '2026-11-21T00:55:10.000Z',
  user_action_correlation_id: 't-41',
  used_outside_engine: true,
} as const satisfies ToolCallEvent;

const mark = {
  user_action_correlation_id: 't-42',
  session_id: 's-2',
  timestamp: '2026-11-21T00:55:13.000Z',
};

/**
 * One message of each type, with all of its fields. Clients are tested with them: the values of a message differ, so
 * that it shows which of them a client uses.
 */
export const WIRE_EXAMPLES: readonly ServerMessage[] = [
  {
    messageType: 'speechText',
    data: {
      message_id: 'm-11',
      content_index: 7,
      content: 'We open at nine.',
      role: 'persona',
      end_of_speech: true,
      interrupted: true,
      user_action_correlation_id: 't-43',
      timestamp: '2026-11-21T00:55:14.000Z',
      correlationId: 't-44',
      utterance_id: 'u-21',
      cue_tag: 'happy',
    },
  },
  {
    messageType: 'reasoningText',
    data: {
      message_id: 'm-12',
      content_index: 8,
      content: 'They ask for rooms.',
      role: 'persona',
      end_of_thought: true,
    },
  },
  { messageType: 'userSpeechStarted', data: mark },
  { messageType: 'userSpeechEnded', data: mark },
  { messageType: 'toolCallStarted', data: call },
  {
    messageType: 'toolCallCompleted',
    data: { ...call, result: { free: ['Sea'] }, documents_accessed: ['house.md'] },
  },
  { messageType: 'toolCallFailed', data: { ...call, error_message: 'The webhook did not answer.' } },
  {
    messageType: 'personaConfigUpdateApplied',
    data: {
      session_id: 's-3',
      changed_fields: { 'voiceDetectionOptions.endOfSpeechSensitivity': { before: 0.5, after: 0.9 } },
    },
  },
  {
    messageType: 'directorNoteCueApplied',
    data: {
      session_id: 's-4',
      user_action_correlation_id: 't-45',
      timestamp_user_action: '2026-11-21T00:55:15.000Z',
      cue_tag: 'surprised',
    },
  },
];
