import { describe, expect, test } from 'vitest';
import { SYSTEM_ACTIONS, parseSystemArguments, systemToolOutput, systemToolSpec } from './system-tools.ts';

test('the five system tools describe themselves under the name that the persona has for them', () => {
  expect([...SYSTEM_ACTIONS].sort()).toEqual([
    'change_language',
    'end_call',
    'interrupt',
    'pause_conversation',
    'skip_turn',
  ]);
  expect(systemToolSpec('end_call', 'hang_up')).toMatchObject({ name: 'hang_up', parameters: { type: 'object' } });
});

describe('their arguments', () => {
  test.each([
    ['change_language', '{"language_code":"de"}', { language: 'de' }],
    ['change_language', '{"language_code":"pt-BR"}', { language: 'pt' }],
    ['skip_turn', '{}', { seconds: 30 }],
    ['skip_turn', '{"timeout_seconds":12.5}', { seconds: 12.5 }],
    ['skip_turn', '{"timeout_seconds":5000}', { seconds: 900 }],
    ['pause_conversation', '', { seconds: 600 }],
    ['pause_conversation', '{"duration_seconds":1}', { seconds: 1 }],
    ['pause_conversation', '{"duration_seconds":601}', { seconds: 600 }],
    ['end_call', '{}', { confirmed: false }],
    ['end_call', '{"confirmed":true}', { confirmed: true }],
    ['interrupt', '{}', {}],
  ] as const)('%s %s', (action, text, expected) => {
    expect(parseSystemArguments(action, text)).toMatchObject({ ok: true, request: { action, ...expected } });
  });

  test.each([
    ['change_language', '{"language_code":"tlh"}'],
    ['change_language', '{}'],
    ['skip_turn', '{"timeout_seconds":0}'],
    ['skip_turn', '{"timeout_seconds":"soon"}'],
    ['pause_conversation', '{"duration_seconds":0.5}'],
    ['end_call', '{"confirmed":true,"reason":"x"}'],
    ['interrupt', 'nonsense'],
  ] as const)('%s %s is refused', (action, text) => {
    expect(parseSystemArguments(action, text)).toMatchObject({ ok: false, problem: expect.stringMatching(/./) });
  });
});

test('an unconfirmed end asks the LLM to ask the user', () => {
  expect(systemToolOutput({ action: 'end_call', confirmed: false })).toContain('Ask the user');
  expect(systemToolOutput({ action: 'end_call', confirmed: true })).not.toContain('Ask');
});
