import { expect, it } from 'vitest';
import type { Analytics, AnalyticsTurn } from '../../api/types.ts';
import { sessionFigures } from './session-figures.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

function turn(turnIndex: number, part: Partial<AnalyticsTurn>): AnalyticsTurn {
  return {
    turnIndex,
    correlationId: String(turnIndex),
    userSpeechStartTime: null,
    userSpeechEndTime: null,
    userTranscriptionTime: null,
    llmFirstOutputTime: null,
    ttsStartTime: null,
    personaStartSpeakingTime: at(10 * turnIndex + 1),
    personaStopSpeakingTime: null,
    finishReason: 'completed',
    ...part,
  };
}

/** Seen: "turns 5" for three questions, because a greeting and a reminder after silence were counted. */
it('counts what the user asked, and says how soon it was answered', () => {
  const turns = [
    turn(0, {}),
    turn(1, { userSpeechEndTime: at(10.4), userTranscriptionTime: at(10.5) }),
    turn(2, { userSpeechEndTime: at(20), userTranscriptionTime: at(20.3) }),
    turn(3, {}),
    turn(4, { userMessage: 'typed' }),
  ];
  const figures = sessionFigures({ summary: { interruptedTurns: 1 }, turns } as unknown as Analytics);
  expect(figures).toMatchObject({ questions: 3, interrupted: 1 });
  expect(figures.heardMedian).toBeCloseTo(0.8);
  expect(figures.heardP95).toBeCloseTo(0.98);
  expect(figures.understoodMedian).toBeCloseTo(0.2);
});

it('measures nothing where nothing was said', () => {
  expect(sessionFigures({ summary: { interruptedTurns: 0 }, turns: [] } as unknown as Analytics)).toEqual({
    questions: 0,
    interrupted: 0,
    heardMedian: null,
    heardP95: null,
    understoodMedian: null,
  });
});
