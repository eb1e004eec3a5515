import { describe, expect, test } from 'vitest';
import { UNKNOWN_LEVEL, howUnderstood, isFarAway, learnLevel, type SpeakerLevel } from './speaker-level.ts';
import { insists, type HeardVoice } from './softer-voice.ts';

function voice(
  level: SpeakerLevel,
  levelDb: number,
  more: Partial<HeardVoice> & { afterMs?: number } = {},
): HeardVoice {
  const from = (level.softer?.until ?? 0) + (more.afterMs ?? 5_000);
  return { levelDb, where: 'inSilence', from, until: from + 2_000, words: [`sentence${from}`], ...more };
}
function learn(level: SpeakerLevel, levelDb: number, outcome: 'answered' | 'ignored', more?: Partial<HeardVoice>) {
  return learnLevel(level, voice(level, levelDb, more), outcome);
}
const heardOnce = learn(UNKNOWN_LEVEL, -26, 'answered');
const known = learn(heardOnce, -26, 'answered');

describe('how loud a user is', () => {
  test('is not known before something was understood', () => {
    expect(isFarAway(UNKNOWN_LEVEL, -70, 'inSilence', 'hardly')).toBe(false);
    expect(learn(UNKNOWN_LEVEL, -60, 'ignored')).toEqual(UNKNOWN_LEVEL);
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
    expect(learn(known, -20, 'answered').usualDb).toBeCloseTo(-23);
    expect(learn(known, -32, 'answered').usualDb).toBeCloseTo(-26.9);
  });

  test('a user who moved away is heard on saying the same again', () => {
    const level = learn(known, -40, 'ignored', { words: ['what', 'time', 'is', 'it'] });
    const again = voice(level, -39, { words: ['what', 'time', 'is', 'it', 'please'] });
    expect(insists(level.softer, again)).toBe(true);
    expect(insists(level.softer, { ...again, words: ['it', 'rained', 'in', 'the', 'mountains'] })).toBe(false);
    expect(
      insists(learn(known, -40, 'ignored', { words: ['good', 'evening'] }).softer, {
        ...again,
        words: ['good', 'evening'],
      }),
    ).toBe(true);
    const moved = learnLevel(level, again, 'answered');
    expect(isFarAway(moved, -40, 'overSpeech', 'hardly')).toBe(false);
    expect(isFarAway(learn(moved, -40, 'answered'), -41, 'inSilence', 'hardly')).toBe(false);
    // Once the user is heard as ever, a voice at that level is somebody else's again.
    expect(isFarAway(learn(moved, -26, 'answered'), -40, 'inSilence', 'surely')).toBe(true);
  });

  /** "What your country can do for you", and then the rest of the same sentence: that was no repetition. */
  test('the rest of a far sentence has some of its words and does not say it again', () => {
    const begun = 'and so my fellow there watch your country can do for you'.split(' ');
    const level = learn(known, -40, 'ignored', { words: begun });
    expect(insists(level.softer, voice(level, -41, { words: 'like you can do for your country'.split(' ') }))).toBe(
      false,
    );
  });

  /** Two televisions that named cards were one user who asked again (`bench/interruptions/in-chromium.ts`). */
  test('two of three words are another request', () => {
    const level = learn(known, -40, 'ignored', { words: ['ten', 'of', 'clubs'] });
    expect(insists(level.softer, voice(level, -40, { words: ['seven', 'of', 'clubs'] }))).toBe(false);
  });

  test('a user who moved away and waits for each answer is heard on the fifth try at the latest', () => {
    let level = known;
    let tries = 1;
    for (; !insists(level.softer, voice(level, -40)); tries += 1) level = learn(level, -40, 'ignored');
    expect(tries).toBe(5);
  });

  /**
   * Each far voice that was ignored moved the usual level by a third of the way: the second of six, 12 to 21 dB softer, was
   * answered, and all of a television.
   */
  test('far voices that are ignored do not become the user: each at another level, or before and after the user', () => {
    let level = known;
    for (const db of [-38, -44, -38, -46, -41, -47]) {
      expect(isFarAway(level, db, 'inSilence', 'surely')).toBe(true);
      expect(insists(level.softer, voice(level, db))).toBe(false);
      level = learn(level, db, 'ignored');
    }
    for (let time = 0; time < 6; time += 1) level = learn(learn(level, -38, 'ignored'), -26, 'answered');
    expect(insists(level.softer, voice(level, -38))).toBe(false);
    expect(level.usualDb).toBeCloseTo(-26);
  });

  test('a television that goes on does not become the user: it waits for no answer', () => {
    let level = known;
    for (let time = 0; time < 10; time += 1)
      level = learnLevel(level, voice(level, -38, { afterMs: 1_500 }), 'ignored');
    expect(insists(level.softer, voice(level, -38))).toBe(false);
  });

  test('who interrupts more softly leaves the usual level as it is: an echo canceller lowers everybody', () => {
    expect(learn(known, -32, 'answered', { where: 'overSpeech' }).usualDb).toBe(-26);
    expect(learn(known, -22, 'answered', { where: 'overSpeech' }).usualDb).toBeCloseTo(-24);
  });

  test('silence teaches nothing', () => {
    expect(learn(known, -Infinity, 'answered')).toBe(known);
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

  /**
   * `bench/real-conversation`: recordings of several people were one user of a call. Two soft ones, well understood into the
   * silence, got no answer. Levels as Parley heard them through Chromium.
   */
  test('nobody who speaks into the silence is ignored in a call whose speakers are 12.6 dB apart', () => {
    const levels = [-15.2, -24.5, -27, -23, -14.4, -17.3, -15.2, -24.4, -27, -23, -14.4, -17.3];
    let level = UNKNOWN_LEVEL;
    for (const db of levels) {
      expect(isFarAway(level, db, 'inSilence', 'well')).toBe(false);
      level = learn(level, db, 'answered');
    }
    // Somebody across the room still is.
    expect(isFarAway(level, -37, 'inSilence', 'well')).toBe(true);
  });

  test('who is as loud as ever again is told from a far voice again', () => {
    let level = learn(known, -35, 'answered');
    expect(isFarAway(level, -39, 'inSilence', 'surely')).toBe(false);
    for (let time = 0; time < 8; time += 1) level = learn(level, -26, 'answered');
    expect(isFarAway(level, -38, 'inSilence', 'surely')).toBe(true);
  });

  /** `bench/interruptions/in-chromium`: "seven of clubs", 6 dB softer, twice over an answer, got no answer. */
  test('a softer second utterance is the usual one: the first came before gain control had settled', () => {
    const level = learn(learn(UNKNOWN_LEVEL, -18.5, 'answered'), -23.7, 'answered');
    expect(level.usualDb).toBeCloseTo(-23.7);
    expect(isFarAway(level, -29.6, 'overSpeech', 'well')).toBe(false);
    expect(isFarAway(level, -35.6, 'overSpeech', 'surely')).toBe(true);
  });

  /** Two levels of one user, 5.9 dB apart, were taken for a user whose level varies: two far voices were answered. */
  test('that the gain settles does not show that the user varies', () => {
    const level = learn(learn(UNKNOWN_LEVEL, -16.4, 'answered'), -22.3, 'answered');
    expect(level.variesDb).toBe(0);
    expect(isFarAway(level, -31.5, 'inSilence', 'well')).toBe(true);
    expect(learn(learn(UNKNOWN_LEVEL, -15.2, 'answered'), -24.5, 'answered').variesDb).toBeCloseTo(9.3);
  });
});
