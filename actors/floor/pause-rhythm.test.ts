import { describe, expect, test } from 'vitest';
import { UNKNOWN_RHYTHM, fadeRhythm, learnMistake, learnPause, patienceWith, stretchedWait } from './pause-rhythm.ts';

describe("a speaker's rhythm of pauses", () => {
  test('changes nothing while it is unknown', () => {
    expect(stretchedWait(UNKNOWN_RHYTHM, 700)).toBe(700);
  });

  test('is learned from pauses after which the user went on', () => {
    const rhythm = [900, 900, 900].reduce(learnPause, UNKNOWN_RHYTHM);
    expect(rhythm.pauseMs).toBeCloseTo(900);
    expect(stretchedWait(rhythm, 700)).toBeGreaterThan(900);
  });

  test('is that of the long pauses: a breath between two of them hardly counts', () => {
    const rhythm = [1_090, 200].reduce(learnPause, UNKNOWN_RHYTHM);
    expect(stretchedWait(rhythm, 700)).toBeGreaterThan(1_090);
  });

  test('never shortens the configured wait', () => {
    expect(stretchedWait({ pauseMs: 200, fluentTurns: 0 }, 700)).toBe(700);
  });

  test('stretches it within reason, also after a very long silence', () => {
    expect(stretchedWait(learnPause(UNKNOWN_RHYTHM, 60_000), 700)).toBeLessThanOrEqual(700 * 2);
  });

  test('wears off with every turn without a pause, until it is forgotten', () => {
    let rhythm = learnPause(UNKNOWN_RHYTHM, 900);
    let turns = 0;
    while (rhythm.pauseMs !== null) {
      const faded = fadeRhythm(rhythm, 1_000);
      expect(faded.pauseMs ?? 0).toBeLessThan(rhythm.pauseMs);
      rhythm = faded;
      turns += 1;
    }
    expect(turns).toBeGreaterThan(3);
    expect(fadeRhythm(UNKNOWN_RHYTHM, 1_000)).toEqual(UNKNOWN_RHYTHM);
  });

  test('a stranger is given time, and each long turn without a pause for thought leaves less of it', () => {
    const fluent = fadeRhythm(fadeRhythm(UNKNOWN_RHYTHM, 3_000), 3_000);
    expect([UNKNOWN_RHYTHM, fluent].map(patienceWith)).toEqual([1, 0.25]);
    // "Yes" says nothing about it, and a breath is no pause for thought.
    expect(patienceWith(fadeRhythm(UNKNOWN_RHYTHM, 400))).toBe(1);
    expect(patienceWith(learnPause(fluent, 200))).toBe(0.25);
    expect(patienceWith(fadeRhythm(learnPause(fluent, 800), 3_000))).toBe(1);
  });

  test('who goes on right after a turn had not finished it; later it is something new', () => {
    expect(learnMistake(UNKNOWN_RHYTHM, 1_000).pauseMs).toBe(1_000);
    expect(learnMistake(UNKNOWN_RHYTHM, 3_000)).toEqual(UNKNOWN_RHYTHM);
  });
});
