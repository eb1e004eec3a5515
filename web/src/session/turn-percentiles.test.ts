import { expect, it } from 'vitest';
import { answerTimes, percentile } from './turn-percentiles.ts';
import { EMPTY_TURN } from './turn-record.ts';

it('measures answers from the end of speech, and leaves out greetings', () => {
  const turn = (userSpeechEndedAt: number | null, speakingStartedAt: number | null) => ({
    ...EMPTY_TURN,
    turnIndex: 0,
    correlationId: 'c',
    llmRequestedAt: 0,
    userSpeechEndedAt,
    speakingStartedAt,
  });
  expect(answerTimes([turn(null, 300), turn(1000, 1700), turn(2000, null), turn(3000, 3500)])).toEqual([700, 500]);
});

it('interpolates between ranks', () => {
  expect(percentile([], 0.5)).toBeNull();
  expect(percentile([900, 500, 700], 0.5)).toBe(700);
  expect(percentile([900, 500, 700], 0.95)).toBeCloseTo(880);
});
