import { describe, expect, test } from 'vitest';
import { FIRST_GUESS_MS, answerTime, askAt, learnLatency, longestWaitForFinal } from './early-transcript.ts';

describe('when the final text is asked for', () => {
  test('early enough for a recognizer as slow as it has been', () => {
    expect(askAt(1000, 200)).toBeLessThanOrEqual(1000 - 200);
    expect(askAt(1000, 20)).toBeGreaterThan(askAt(1000, 200));
  });

  test('a slower answer counts at once, a faster one little by little', () => {
    expect(learnLatency(FIRST_GUESS_MS, 600)).toBe(600);
    const faster = learnLatency(FIRST_GUESS_MS, 100);
    expect(faster).toBeLessThan(FIRST_GUESS_MS);
    expect(faster).toBeGreaterThan(200);
  });

  test('a recognizer that answers at once is asked late after a few turns', () => {
    let known = FIRST_GUESS_MS;
    for (let turn = 0; turn < 20; turn += 1) known = learnLatency(known, 1);
    expect(known).toBeLessThan(30);
  });

  test('a stall of seconds does not become a habit', () => {
    expect(learnLatency(FIRST_GUESS_MS, 60_000)).toBeLessThanOrEqual(1500);
  });
});

/** Whisper was asked at each pause, because its first answer had taken 0.4 s: "leisure", cut off from "had then", was "Lieger". */
describe('what an answer took', () => {
  test('is not the time in which the last words were read anyway', () => {
    expect(answerTime({ askedAt: 1_200, lastVoicedAt: 1_000, now: 1_420 }, 'news')).toBe(20);
    expect(answerTime({ askedAt: 1_200, lastVoicedAt: 1_000, now: 1_300 }, 'news')).toBe(0);
    expect(answerTime({ askedAt: 1_700, lastVoicedAt: 1_000, now: 1_900 }, 'news')).toBe(200);
  });

  test('is all of it where the words were known before', () => {
    expect(answerTime({ askedAt: 1_200, lastVoicedAt: 1_000, now: 1_500 }, 'known')).toBe(300);
  });
});

describe('a final text is waited for', () => {
  test.each([
    [200, 3_000],
    [1_400, 3_000],
    [2_200, 4_400],
    [9_000, 6_000],
  ])('where the last one took %d ms: %d ms', (tookMs, expected) => {
    expect(longestWaitForFinal(tookMs)).toBe(expected);
  });
});
