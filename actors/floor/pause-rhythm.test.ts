import { describe, expect, test } from 'vitest';
import { UNKNOWN_RHYTHM, fadeRhythm, learnPause, stretchedWait } from './pause-rhythm.ts';

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
    expect(stretchedWait(rhythm, 700)).toBe(700 * 1.6);
  });

  test('never shortens the configured wait', () => {
    expect(stretchedWait({ pauseMs: 200 }, 700)).toBe(700);
  });

  test('stretches it within reason, also after a very long silence', () => {
    expect(stretchedWait(learnPause(UNKNOWN_RHYTHM, 60_000), 700)).toBeLessThanOrEqual(700 * 1.6);
  });

  test('wears off with every turn without a pause, until it is forgotten', () => {
    let rhythm = learnPause(UNKNOWN_RHYTHM, 900);
    let turns = 0;
    while (rhythm.pauseMs !== null) {
      const faded = fadeRhythm(rhythm);
      expect(faded.pauseMs ?? 0).toBeLessThan(rhythm.pauseMs);
      rhythm = faded;
      turns += 1;
    }
    expect(turns).toBeGreaterThan(3);
    expect(fadeRhythm(UNKNOWN_RHYTHM)).toEqual(UNKNOWN_RHYTHM);
  });
});
