import { describe, expect, it, test } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { isSideTalk, type Heard } from './side-talk.ts';
import { UNKNOWN_LEVEL } from './speaker-level.ts';

function heard(text: string, more: Partial<Heard> = {}): Heard {
  return {
    text,
    language: 'en',
    confidence: null,
    levelDb: -26,
    from: 60_000,
    speaker: UNKNOWN_LEVEL,
    where: 'overSpeech',
    ...more,
  };
}

describe('speech that is not meant for the persona', () => {
  test.each([
    'one second honey',
    'mom I am busy',
    "I'm on a call",
    'I am on a call right now',
    'just put it on the table',
  ])('while it speaks: "%s"', (text) => {
    expect(isSideTalk(heard(text))).toBe(true);
  });

  test('asking to wait stops the persona while it speaks', () => {
    expect(isSideTalk(heard('just a minute'))).toBe(false);
  });

  test('anything from far away', () => {
    const far = { levelDb: -40, speaker: { usualDb: -26, utterances: 3, variesDb: 0, softer: null } };
    expect(isSideTalk(heard('what time is it', far))).toBe(true);
    expect(isSideTalk(heard('what time is it', { ...far, where: 'inSilence' }))).toBe(true);
  });
});

test.each(['what time is it', 'call my mother please', 'I was in a meeting yesterday', 'put two tickets in the cart'])(
  '"%s" is meant for it',
  (text) => {
    expect(isSideTalk(heard(text))).toBe(false);
  },
);

/**
 * The user was alone with the persona and said "I want to buy a present for my mom". It was dropped without a trace: the
 * last word was taken for an address, as "in a minute" anywhere in a sentence was taken for an excuse. In silence the
 * words of a sentence do not show any more that it is meant for somebody else.
 */
describe('said into the silence, it is meant for the persona', () => {
  it.each([
    'I want to buy a present for my mom',
    'I live with my wife and kids',
    'I had a fight with my dad',
    'call my mom',
    'thanks guys',
    'what colors does it come in',
    'how many seconds are in a minute',
    'close the door',
    'dinner is at seven tonight',
  ])('"%s"', (text) => {
    const s = new SimulatedSession().connect().wait(500).speak(text).wait(6_000);
    expect(s.transcript()).toEqual([`user: ${text}`, 'persona: All right.']);
  });
});

/**
 * "Give me a minute" left no trace, and 5 s later the persona asked "Are you still there?". "Not now" as the answer to
 * "Shall I book it?" was taken for such a request.
 */
describe('a request to wait', () => {
  function session(answer: string): SimulatedSession {
    const s = new SimulatedSession({ config: { voiceDetection: VOICE_DETECTION_DEFAULTS } }).connect().wait(500);
    s.engine.answer = (_, index) => ({ text: index === 0 ? answer : 'Sure.' });
    return s.speak('hi there').wait(4_000);
  }

  it.each(['give me a minute', 'hold on one second please', "I'm on a call right now mom", 'one second honey'])(
    '"%s" gets no answer, is remembered, and half a minute of silence',
    (text) => {
      const s = session('Hello.').speak(text);
      const said = s.clock.now();
      s.wait(29_000);
      expect(s.transcript()).toEqual(['user: hi there', 'persona: Hello.', `user: ${text}`]);
      expect(s.engine.questions).toHaveLength(1);
      s.wait(3_000);
      expect(s.engine.questions).toHaveLength(2);
      expect((s.engine.questions[1]?.at ?? 0) - said).toBeGreaterThan(30_000);
      expect(s.engine.questions[1]?.messages.some(({ content }) => content === text)).toBe(true);
    },
  );

  it('of a user who is used to a longer silence does not shorten it', () => {
    const voiceDetection = { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 60 };
    const s = new SimulatedSession({ config: { voiceDetection } }).connect().wait(500).speak('one moment').wait(59_000);
    expect(s.engine.questions).toEqual([]);
    expect(s.wait(3_000).engine.questions).toHaveLength(1);
  });

  it('right after a question may be the answer: the persona decides, and waits as long', () => {
    const s = session('How long shall I wait?').speak('one second').wait(20_000);
    expect(s.transcript().slice(2)).toEqual(['user: one second', 'persona: Sure.']);
    expect(s.wait(15_000).engine.questions).toHaveLength(3);
  });

  it('is not what sounds like one: "not now" is the answer to "Shall I book it?"', () => {
    const s = session('Shall I book it?').speak('not now').wait(3_000);
    expect(s.transcript().slice(2)).toEqual(['user: not now', 'persona: Sure.']);
  });
});
