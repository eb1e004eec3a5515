import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { MAX_TEXT_BYTES, parseClientMessage } from './client-messages.ts';

const SESSION = '6f1f3c1e-8a55-4c0d-9a53-0d6e1c1f7a10';
const parse = (message: Record<string, unknown>) => parseClientMessage(JSON.stringify(message), SESSION);

describe('what clients send on the data channel', () => {
  it.each([
    [
      { message_type: 'speech', content: 'Hello', timestamp: '2026-01-01T00:00:00.000', session_id: SESSION },
      { type: 'client.text', content: 'Hello' },
    ],
    [
      { message_type: 'interrupt', session_id: SESSION, timestamp: '2026-01-01T00:00:00Z' },
      { type: 'client.interrupt' },
    ],
    [
      { message_type: 'context', session_id: SESSION, content: 'The cart is empty.' },
      { type: 'client.context', content: 'The cart is empty.' },
    ],
    [
      { message_type: 'director_note_cue', cue: { tag: 'happy' }, in_seconds: 2 },
      { type: 'client.cue', tag: 'happy', inSeconds: 2, atSeconds: null, problem: null },
    ],
    [
      { message_type: 'tool_result', tool_call_id: 'fc_1', result: { a: 1 } },
      { type: 'client.toolResult', toolCallId: 'fc_1', result: { a: 1 }, error: null },
    ],
    [
      { message_type: 'tool_result', tool_call_id: 'fc_1' },
      { type: 'client.toolResult', toolCallId: 'fc_1', result: null, error: null },
    ],
    [
      { message_type: 'tool_result', tool_call_id: 'fc_1', error: 'Tool failed' },
      { type: 'client.toolResult', toolCallId: 'fc_1', result: null, error: 'Tool failed' },
    ],
    [
      { message_type: 'persona_config', data: { languageCode: 'de' } },
      { type: 'client.personaConfig', data: { languageCode: 'de' } },
    ],
  ])('%j', (message, event) => {
    expect(parse(message)).toEqual({ kind: 'event', messageType: message.message_type, event });
  });

  it.each([
    ['telemetry', { message_type: 'remote_rtp_stats', data: {} }],
    ['an unknown type', { message_type: 'dance' }],
    ['a message for another session', { message_type: 'interrupt', session_id: 'other' }],
  ])('ignores %s without a word', (_name, message) => {
    expect(parse(message)).toEqual({ kind: 'ignored', problem: null });
  });

  it.each([
    ['an empty text', { message_type: 'speech', content: '' }],
    ['a text above the limit', { message_type: 'context', content: 'é'.repeat(MAX_TEXT_BYTES / 2 + 1) }],
    ['a tool result without its call', { message_type: 'tool_result', result: 1 }],
  ])('refuses %s and says which field', (_name, message) => {
    expect(parse(message)).toMatchObject({ kind: 'ignored', problem: expect.stringContaining('is not valid') });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        parseClientMessage(text, SESSION);
        parseClientMessage(JSON.stringify(value) ?? '', SESSION);
      }),
    );
  });

  it('ignores what is nested too deep for whoever would read it, and says so', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    for (const message of [
      `{"message_type":"tool_result","tool_call_id":"fc_1","result":${deep}}`,
      `{"message_type":"persona_config","data":${deep}}`,
    ]) {
      expect(parseClientMessage(message, SESSION)).toEqual({
        kind: 'ignored',
        problem: 'it is nested more than 64 levels deep',
      });
    }
  });
});
