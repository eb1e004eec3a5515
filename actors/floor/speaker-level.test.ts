import { describe, expect, test } from 'vitest';
import { UNKNOWN_LEVEL, howUnderstood, isFarAway, learnLevel } from './speaker-level.ts';

const heardOnce = learnLevel(UNKNOWN_LEVEL, -26, 'answered');
const known = learnLevel(heardOnce, -26, 'answered');

describe('how loud a user is', () => {
  test('is not known before something was understood', () => {
    expect(isFarAway(UNKNOWN_LEVEL, -70, 'inSilence', 'hardly')).toBe(false);
    expect(learnLevel(UNKNOWN_LEVEL, -60, 'ignored')).toEqual(UNKNOWN_LEVEL);
  });

  test('tells somebody across the room from the user', () => {
    expect(isFarAway(known, -38, 'inSilence', 'hardly')).toBe(true);
    expect(isFarAway(known, -31, 'inSilence', 'hardly')).toBe(false);
  });

  test('people raise their voice against another one, so less is enough during speech', () => {
    expect(isFarAway(known, -33, 'overSpeech', 'hardly')).toBe(true);
    expect(isFarAway(known, -33, 'inSilence', 'hardly')).toBe(false);
  });

  test('is learned quickly upwards and slowly downwards: the louder one is at the microphone', () => {
    expect(learnLevel(known, -20, 'answered').usualDb).toBeCloseTo(-23);
    expect(learnLevel(known, -32, 'answered').usualDb).toBeCloseTo(-26.9);
  });

  test('a user who moved away is heard on the third try at the latest', () => {
    let level = known;
    let tries = 1;
    while (isFarAway(level, -40, 'inSilence', 'hardly')) {
      level = learnLevel(level, -40, 'ignored');
      tries += 1;
    }
    expect(tries).toBeLessThanOrEqual(3);
  });

  test('silence teaches nothing', () => {
    expect(learnLevel(known, -Infinity, 'answered')).toBe(known);
  });
});

/**
 * "8 of spades, 4 of close, 7 of hearts." stopped the persona and was thrown away: 6 dB below the usual level. The level
 * was wrong: the same recording came with -18.5 dB first, and with -23.6 dB once gain control had settled.
 */
describe('the level is one vote', () => {
  test('of two: words that were understood well need to be far softer to be somebody else’s', () => {
    const words = 'eight of spades four of clubs'.split(' ');
    expect(howUnderstood(words, null)).toBe('well');
    expect(isFarAway(known, -32, 'overSpeech', 'hardly')).toBe(true);
    expect(isFarAway(known, -32, 'overSpeech', 'well')).toBe(false);
  });

  test('a sure recognizer counts as much as three words', () => {
    expect(howUnderstood(['stop'], 0.9)).toBe('well');
    expect(howUnderstood(['stop'], 0.5)).toBe('hardly');
  });

  test('but not of none: a television 12 dB below is not the user, whatever it says', () => {
    for (const where of ['overSpeech', 'inSilence'] as const) {
      expect(isFarAway(known, -38, where, 'well')).toBe(true);
      expect(isFarAway(heardOnce, -38, where, 'well')).toBe(true);
    }
  });

  test('the second utterance counts as much as the first, which came before gain control had settled', () => {
    const level = learnLevel(learnLevel(UNKNOWN_LEVEL, -18.5, 'answered'), -23.7, 'answered');
    expect(level.usualDb).toBeCloseTo(-21.1);
  });
});
