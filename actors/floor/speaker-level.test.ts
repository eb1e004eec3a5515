import { describe, expect, test } from 'vitest';
import { UNKNOWN_LEVEL, isFarAway, learnLevel } from './speaker-level.ts';

const known = learnLevel(UNKNOWN_LEVEL, -26, 'answered');

describe('how loud a user is', () => {
  test('is not known before something was understood', () => {
    expect(isFarAway(UNKNOWN_LEVEL, -70, 'inSilence')).toBe(false);
    expect(learnLevel(UNKNOWN_LEVEL, -60, 'ignored')).toEqual(UNKNOWN_LEVEL);
  });

  test('tells somebody across the room from the user', () => {
    expect(isFarAway(known, -38, 'inSilence')).toBe(true);
    expect(isFarAway(known, -31, 'inSilence')).toBe(false);
  });

  test('people raise their voice against another one, so less is enough during speech', () => {
    expect(isFarAway(known, -33, 'overSpeech')).toBe(true);
    expect(isFarAway(known, -33, 'inSilence')).toBe(false);
  });

  test('is learned quickly upwards and slowly downwards: the louder one is at the microphone', () => {
    expect(learnLevel(known, -20, 'answered').usualDb).toBeCloseTo(-23);
    expect(learnLevel(known, -32, 'answered').usualDb).toBeCloseTo(-26.9);
  });

  test('a user who moved away is heard on the third try at the latest', () => {
    let level = known;
    let tries = 1;
    while (isFarAway(level, -40, 'inSilence')) {
      level = learnLevel(level, -40, 'ignored');
      tries += 1;
    }
    expect(tries).toBeLessThanOrEqual(3);
  });

  test('silence teaches nothing', () => {
    expect(learnLevel(known, -Infinity, 'answered')).toBe(known);
  });
});
