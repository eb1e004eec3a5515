import { describe, expect, test } from 'vitest';
import { SYSTEM_ACTIONS } from '../session-config.ts';
import { parseSystemArguments, SYSTEM_TOOLS, systemToolOutput, systemToolSpec } from './system-tools.ts';

const ANY = { recognized: 'any', spoken: 'any' } as const;

test('the five system tools stand once, each with a description', () => {
  expect(Object.keys(SYSTEM_TOOLS)).toEqual(SYSTEM_ACTIONS);
  for (const { description } of Object.values(SYSTEM_TOOLS)) expect(description).toMatch(/^[A-Z].+\.$/);
});

/** The service sent its own text whatever was saved: a tool that was to be used "only for billing" was used for all. */
test('the LLM reads the name and the description that the customer saved, and the arguments of the service', () => {
  const { parameters } = SYSTEM_TOOLS.end_call;
  expect(systemToolSpec({ action: 'end_call', name: 'hang_up', description: 'Only after the quiz.' }, ANY)).toEqual({
    name: 'hang_up',
    description: 'Only after the quiz.',
    parameters,
  });
});

test('where nothing was saved the LLM reads the description of the service', () => {
  const { description } = SYSTEM_TOOLS.end_call;
  expect(systemToolSpec({ action: 'end_call', name: 'end_call', description: ' ' }, ANY)).toMatchObject({
    description,
  });
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
    expect(parseSystemArguments(action, text, ANY)).toMatchObject({ ok: true, request: { action, ...expected } });
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
    expect(parseSystemArguments(action, text, ANY)).toMatchObject({ ok: false, problem: expect.stringMatching(/./) });
  });
});

test('an unconfirmed end asks the LLM to ask the user', () => {
  expect(systemToolOutput({ action: 'end_call', confirmed: false }, ANY)).toContain('Ask the user');
  expect(systemToolOutput({ action: 'end_call', confirmed: true }, ANY)).not.toContain('Ask');
});

describe('a change of the language', () => {
  const languages = { recognized: ['en', 'de', 'fr'], spoken: ['en', 'de'] };

  test('is offered only to what is understood', () => {
    const spec = systemToolSpec({ action: 'change_language', name: 'x', description: '' }, languages);
    expect(JSON.stringify(spec.parameters)).toContain('one of \\"en\\", \\"de\\", \\"fr\\".');
    expect(parseSystemArguments('change_language', '{"language_code":"ja"}', languages)).toEqual({
      ok: false,
      problem: 'Speech recognition does not understand Japanese. It understands English, German, and French.',
    });
  });

  test('tells when the voice does not follow', () => {
    const told = (language: string) => systemToolOutput({ action: 'change_language', language }, languages);
    expect(told('de')).toBe('Speech recognition now listens for German.');
    expect(told('fr')).toContain('Your voice does not speak French');
  });
});
