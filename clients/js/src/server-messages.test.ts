import { expect, it } from 'vitest';
import { parseServerMessage } from './server-messages.ts';

const message = (messageType: string, data: object) => parseServerMessage(JSON.stringify({ messageType, data }));

it('reads a piece of speech', () => {
  expect(
    message('speechText', {
      message_id: 'm',
      content_index: 2,
      content: ' Hi',
      role: 'persona',
      end_of_speech: true,
      interrupted: true,
      user_action_correlation_id: 'c',
      utterance_id: 'u',
      cue_tag: 'happy',
    }),
  ).toEqual({
    kind: 'speech',
    event: {
      id: 'persona::m',
      role: 'persona',
      content: ' Hi',
      contentIndex: 2,
      endOfSpeech: true,
      interrupted: true,
      correlationId: 'c',
      utteranceId: 'u',
      cueTag: 'happy',
    },
  });
});

it('reads tool calls', () => {
  expect(
    message('toolCallFailed', { tool_call_id: 't', tool_type: 'client', arguments: { q: 1 }, error_message: 'late' }),
  ).toMatchObject({ phase: 'failed', call: { toolType: 'client', arguments: { q: 1 }, errorMessage: 'late' } });
  expect(
    message('toolCallCompleted', { tool_name: 'faq', result: null, documents_accessed: ['a.pdf', 7] }),
  ).toMatchObject({
    phase: 'completed',
    call: { toolName: 'faq', toolType: 'server', result: null, documentsAccessed: ['a.pdf'] },
  });
});

it('reads what a change of settings has changed', () => {
  expect(
    message('personaConfigUpdateApplied', { changed_fields: { languageCode: { before: 'en', after: 'de' }, x: 5 } }),
  ).toEqual({ kind: 'config-update', update: { changedFields: { languageCode: { before: 'en', after: 'de' } } } });
});

it.each(['', 'null', '[]', '7', '{"messageType":"speechText"}', '{"messageType":"new","data":{}}', '{"data":{}}'])(
  'ignores %j',
  (text) => expect(parseServerMessage(text)).toBeNull(),
);
