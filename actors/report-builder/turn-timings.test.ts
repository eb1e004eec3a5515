import { describe, expect, test } from 'vitest';
import { addToolCall, closeTurn, mark, openTurn, reopen } from './turn-timings.ts';

const outcome = { interrupted: false, userText: 'Hi', personaText: 'Hello.' };

describe('the record of a turn', () => {
  test('keeps the first of what happens once and the last of what repeats', () => {
    let turn = openTurn(1, 'c');
    turn = mark(mark(turn, 'llmFirstOutputAt', 10), 'llmFirstOutputAt', 20);
    turn = mark(mark(turn, 'speakingEndedAt', 30), 'speakingEndedAt', 40);
    expect(turn).toMatchObject({ llmFirstOutputAt: 10, speakingEndedAt: 40 });
  });

  test('a moment at zero is a moment', () => {
    expect(mark(mark(openTurn(0, 'c'), 'llmRequestedAt', 0), 'llmRequestedAt', 5).llmRequestedAt).toBe(0);
  });

  test('of a user who went on counts from the true end', () => {
    const early = mark(mark(mark(openTurn(1, 'c'), 'userSpeechStartedAt', 1), 'endOfTurnAt', 5), 'llmRequestedAt', 6);
    expect(reopen(early)).toEqual({ ...openTurn(1, 'c'), userSpeechStartedAt: 1 });
  });

  test('names each tool call once', () => {
    expect(addToolCall(addToolCall(openTurn(1, 'c'), 'a'), 'a').toolCallIds).toEqual(['a']);
  });

  test('of a finished reply', () => {
    expect(closeTurn(openTurn(1, 'c'), outcome)).toMatchObject({
      finishReason: 'completed',
      interruptedStage: null,
      userText: 'Hi',
      personaText: 'Hello.',
    });
  });

  test.each([
    ['before_llm_output', ['llmRequestedAt']],
    ['during_llm_generation', ['llmRequestedAt', 'llmFirstOutputAt', 'synthesisStartedAt']],
    ['before_audio', ['llmRequestedAt', 'llmFirstOutputAt', 'llmFinalOutputAt']],
    ['before_audio', ['synthesisStartedAt']],
    ['while_speaking', ['llmRequestedAt', 'llmFirstOutputAt', 'speakingStartedAt']],
  ] as const)('interrupted %s', (stage, marks) => {
    const turn = marks.reduce((now, at) => mark(now, at, 1), openTurn(1, 'c'));
    expect(closeTurn(turn, { ...outcome, interrupted: true })).toMatchObject({
      finishReason: 'interrupted',
      interruptedStage: stage,
    });
  });
});
