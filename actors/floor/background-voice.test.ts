import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const TELEVISION = { levelDb: -48 };

function begin(options: { readonly partials?: boolean } = {}): SimulatedSession {
  const s = new SimulatedSession({ config: { voiceDetection: VOICE_DETECTION_DEFAULTS } }).connect();
  s.engine.answer = (question) => ({
    text: question.messages.at(-1)?.content.includes('silent') === true ? 'Are you still there?' : 'Sure.',
  });
  return s.speak('hi', undefined, options).wait(4_000);
}
const users = (s: SimulatedSession): string[] => s.transcript().filter((line) => line.startsWith('user: '));
const endedAt = (s: SimulatedSession): number | undefined => s.timesOf('session.close')[0];

/**
 * A user asked for the time, and the television went on where the question ended. For the voice detector that was one
 * voice: in five minutes there was no answer, no prompt and no end of the session.
 */
describe('a voice that goes on in the background', () => {
  it('does not keep the question from its answer', () => {
    const s = begin().speak('what time is it in Berlin', 1_600);
    const asked = s.clock.now();
    s.beginToSpeak('', 300_000, TELEVISION).wait(5_000);
    expect(users(s)).toEqual(['user: hi', 'user: what time is it in Berlin']);
    expect(s.engine.questions).toHaveLength(2);
    expect((s.engine.questions[1]?.at ?? 0) - asked).toBeLessThan(3_500);
    expect(s.transcript().at(-1)).toBe('persona: Sure.');
  });

  it('keeps neither the prompts nor the end by inactivity away', () => {
    const s = begin().speak('what time is it in Berlin', 1_600).beginToSpeak('', 300_000, TELEVISION).wait(300_000);
    expect(s.transcript()).toContain('persona: Are you still there?');
    expect(s.performed('session.close')[0]?.reason).toBe('user_inactivity');
    expect(endedAt(s)).toBeLessThan(90_000);
  });

  it('is no voice of the user from then on, who is heard over it, and answered when the own words end', () => {
    const s = begin().speak('what time is it in Berlin', 1_600).beginToSpeak('', 60_000, TELEVISION).wait(7_000);
    s.speak('and what time is it in Rome', 1_800);
    const asked = s.clock.now();
    s.beginToSpeak('', 60_000, TELEVISION).wait(4_000);
    expect(users(s).at(-1)).toBe('user: and what time is it in Rome');
    expect((s.engine.questions[2]?.at ?? Infinity) - asked).toBeLessThan(1_000);
  });

  it('ends the turn also where it is as loud as the user: no new words come', () => {
    const s = begin().speak('what time is it in Berlin', 1_600).beginToSpeak('', 60_000).wait(9_000);
    expect(users(s).at(-1)).toBe('user: what time is it in Berlin');
    // The next words reopen it, and lose none.
    s.speak('and in Rome', 1_000).wait(4_000);
    expect(users(s).at(-1)).toBe('user: and in Rome');
  });

  it('ends it sooner where the recognizer says that the turn is over', () => {
    const s = begin().speak('what time is it in Berlin', 1_600).beginToSpeak('', 60_000);
    s.wait(500).dispatch({ type: 'endOfTurn.predicted', probability: 0.95 });
    s.wait(2_500);
    expect(users(s).at(-1)).toBe('user: what time is it in Berlin');
  });

  it('without any word from the beginning does not keep the session', () => {
    const s = begin().beginToSpeak('', 300_000, TELEVISION).wait(300_000);
    expect(s.performed('session.close')[0]?.reason).toBe('user_inactivity');
    expect(endedAt(s)).toBeLessThan(110_000);
  });
});

describe('a user who goes on speaking', () => {
  const story = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');

  it('is never cut off, for as long as new words come', () => {
    const s = begin().speak(story, 40_000).wait(5_000);
    expect(users(s)).toEqual(['user: hi', `user: ${story}`]);
  });

  it('is not cut off for speaking softly at the end', () => {
    const s = begin()
      .speak('I am not so sure about', 2_000)
      .speak('all of this now that you say so', 6_000, { levelDb: -38 });
    s.wait(5_000);
    expect(users(s).at(-1)).toBe('user: I am not so sure about all of this now that you say so');
  });

  it('is not cut off by a hint that the next words prove wrong', () => {
    const s = begin().beginToSpeak(story, 40_000).wait(2_200);
    for (let hint = 0; hint < 30; hint += 1) {
      s.dispatch({ type: 'endOfTurn.predicted', probability: 0.95 });
      s.wait(1_000);
    }
    s.wait(15_000);
    expect(users(s).at(-1)).toBe(`user: ${story}`);
  });

  it('is heard out by a recognizer without partial text', () => {
    const s = begin({ partials: false }).speak(story, 15_000, { partials: false }).wait(5_000);
    expect(users(s).at(-1)).toBe(`user: ${story}`);
  });
});
