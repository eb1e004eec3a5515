import { expect, it } from 'vitest';
import type { PersonaTest } from './test-api.ts';
import { draftOfTest, inputOfTest } from './test-form-draft.ts';

const TEST: PersonaTest = {
  id: 't',
  personaId: 'p',
  name: 'Books a table',
  user: { kind: 'lines', lines: ['A table for two.', 'At eight.'] },
  audio: {
    voiceId: 'v',
    noise: 'fan',
    voiceToNoiseDb: 15,
    interruptions: [
      { line: 2, afterMs: 800 },
      { line: 3, afterMs: 800 },
    ],
  },
  mocks: [
    { tool: 'book', whenArguments: { people: 2 }, result: 'done' },
    { tool: 'pay', error: 'no money' },
  ],
  checks: [
    { kind: 'said', anyOf: ['eight', '8'] },
    { kind: 'notSaid', anyOf: ['sorry'] },
    { kind: 'toolCalled', tool: 'book', arguments: { people: 2 } },
    { kind: 'toolNotCalled', tool: 'pay' },
    { kind: 'ended', reason: 'end_call' },
    { kind: 'graded', rubric: 'It is polite.' },
    { kind: 'latency', withinMs: 900 },
    { kind: 'heard', anyOf: ['two'] },
    { kind: 'interrupted', times: 1 },
  ],
  repeat: 3,
  passRate: 0.67,
  createdAt: '',
  updatedAt: '',
};

it('keeps everything that a test has', () => {
  const { id: _, personaId: __, createdAt: ___, updatedAt: ____, ...input } = TEST;
  expect(inputOfTest(draftOfTest(TEST))).toEqual(input);
});

it('keeps a simulated user', () => {
  const user = { kind: 'simulated', goal: 'A refund.', manner: 'Angry.', maxTurns: 5 } as const;
  expect(inputOfTest(draftOfTest({ ...TEST, user })).user).toEqual(user);
});

it('is held in text where nobody wants it to be spoken', () => {
  const { audio: _, ...inText } = TEST;
  expect(inputOfTest(draftOfTest(inText))).not.toHaveProperty('audio');
});

it('says no empty lines', () => {
  expect(inputOfTest({ ...draftOfTest(null), lines: '\n Hello \n\n' }).user).toEqual({
    kind: 'lines',
    lines: ['Hello'],
  });
});

it('throws for arguments that are no JSON', () => {
  const draft = { ...draftOfTest(null), checks: [{ kind: 'toolCalled', text: 'book', args: '{' } as const] };
  expect(() => inputOfTest(draft)).toThrow(SyntaxError);
});
