import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { isTalkOf, nextTry, type HeardVoice, type SofterVoice } from './softer-voice.ts';

/**
 * A television 14 dB below the user began to talk over the persona. Chromium's gain control made it louder from sentence
 * to sentence: the first one was ignored, each other one was answered, and so were all of the next two televisions. The
 * levels are those that Parley heard (`bench/interruptions/in-chromium.ts`).
 */
describe('a television that gain control makes louder', () => {
  const STORY = 'There are many things to say about this. '.repeat(12);
  const OVER_THE_ANSWER = [
    ['there was leisure to consider how much there might be in his power', 6_500, -30.4, 1_000],
    ['he was not an ill disposed young man', 2_500, -26.1, 1_500],
    ['he might even have been made amiable himself', 2_700, -25, 10_000],
  ] as const;
  const INTO_THE_SILENCE = [
    ['ten of clubs', 800, -22.5, 700],
    ['and so my fellow ask what you can do for your country', 10_000, -23.4, 10_000],
  ] as const;

  function begin(): SimulatedSession {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: STORY });
    for (let time = 0; time < 2; time += 1) s.speak('tell me more about whales', 1_500, { levelDb: -18.4 }).wait(6_000);
    return s;
  }
  function talk(s: SimulatedSession, lines: readonly (readonly [string, number, number, number])[]): SimulatedSession {
    for (const [text, ms, levelDb, pauseMs] of lines) s.speak(text, ms, { levelDb }).wait(pauseMs);
    return s;
  }
  const users = (s: SimulatedSession): string[] => s.transcript().filter((line) => line.startsWith('user: '));
  const ASKED = ['user: tell me more about whales', 'user: tell me more about whales'];

  it('is not answered over the answer, nor in the silence after it', () => {
    const s = talk(begin(), OVER_THE_ANSWER).wait(20_000);
    expect(users(s)).toEqual(ASKED);
    expect(users(talk(s, INTO_THE_SILENCE))).toEqual(ASKED);
  });

  it('does not keep the user from being answered, whom the gain makes louder as well', () => {
    const s = talk(begin(), OVER_THE_ANSWER);
    s.speak('what do they eat', 1_200, { levelDb: -16 }).wait(6_000);
    expect(users(s).at(-1)).toBe('user: what do they eat');
    // Nobody else has talked since.
    s.wait(20_000).speak('and how do they sleep', 1_200, { levelDb: -24 }).wait(6_000);
    expect(users(s).at(-1)).toBe('user: and how do they sleep');
  });

  it('is forgotten half a minute after its last word', () => {
    const s = talk(begin(), OVER_THE_ANSWER).wait(40_000);
    s.speak('what do they eat', 1_200, { levelDb: -24 }).wait(6_000);
    expect(users(s).at(-1)).toBe('user: what do they eat');
  });

  it('somebody who was ignored once, waited, and speaks louder is heard', () => {
    const s = begin();
    s.speak('there might be something else', 2_600, { levelDb: -30.4 }).wait(2_500);
    s.speak('may I ask something', 1_300, { levelDb: -25.5 }).wait(6_000);
    expect(users(s).at(-1)).toBe('user: may I ask something');
  });
});

describe('the talk of a softer voice', () => {
  const heard = (levelDb: number, from: number, forMs = 2_500): HeardVoice => ({
    levelDb,
    where: 'inSilence',
    from,
    until: from + forMs,
    words: [`word${from}`],
  });
  const begun = nextTry(null, heard(-38, 0), 'far');
  const after = (softer: SofterVoice, ms: number) => softer.until + ms;

  it('is what follows without a pause for an answer, up to 6 dB louder', () => {
    expect(isTalkOf(begun, heard(-32, after(begun, 1_500)))).toBe(true);
    expect(isTalkOf(begun, heard(-31.9, after(begun, 1_500)))).toBe(false);
    expect(isTalkOf(begun, heard(-38, after(begun, 2_000)))).toBe(false);
  });

  it('is what comes after a pause too, once it has gone on for four seconds without one', () => {
    const goneOn = nextTry(begun, heard(-34, after(begun, 500)), 'other');
    expect(goneOn).toMatchObject({ talksOn: true, talkedMs: 5_000 });
    expect(isTalkOf(goneOn, heard(-28, after(goneOn, 20_000)))).toBe(true);
    expect(isTalkOf(goneOn, heard(-28, after(goneOn, 30_001)))).toBe(false);
    const short = nextTry(begun, heard(-34, after(begun, 500), 1_400), 'other');
    expect(isTalkOf(short, heard(-28, after(short, 1_900)))).toBe(true);
    expect(isTalkOf(short, heard(-28, after(short, 2_000)))).toBe(false);
  });

  it('begins with two short sentences, not with one', () => {
    const one = nextTry(null, heard(-38, 0, 800), 'far');
    expect(isTalkOf(one, heard(-36, after(one, 500)))).toBe(false);
    const two = nextTry(one, heard(-37, after(one, 500), 1_100), 'far');
    expect(isTalkOf(two, heard(-36, after(two, 500)))).toBe(true);
  });

  it('does not begin with what was ignored for its words: "mom, I am busy" is the user', () => {
    const aside = nextTry(null, heard(-26, 0), 'other');
    expect(isTalkOf(aside, heard(-26, after(aside, 500)))).toBe(false);
  });

  it('goes on through what had no words in time, and a cough changes nothing of who spoke before', () => {
    const cough = (softer: SofterVoice, levelDb: number, ms: number) => ({
      ...heard(levelDb, after(softer, ms), 400),
      words: [],
    });
    expect(nextTry(begun, cough(begun, -36, 1_000), 'far')).toMatchObject({ talkedMs: 2_900, words: begun.words });
    expect(nextTry(begun, cough(begun, -45, 6_000), 'far')).toBe(begun);
  });

  it('is none where the voice has become the user’s', () => {
    const goneOn = nextTry(begun, heard(-34, after(begun, 500)), 'far');
    expect(isTalkOf({ ...goneOn, standing: 'heard' }, heard(-34, after(goneOn, 500)))).toBe(false);
  });
});
