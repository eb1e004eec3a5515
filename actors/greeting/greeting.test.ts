import { describe, expect, test } from 'vitest';
import { MARK } from '../testing/mark.ts';
import { de } from '../language/de.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const greeting = {
  skip: false,
  initialMessage: 'Hello there, I am Ada, and I am glad that you are here today.',
  uninterruptible: false,
};

describe('a session begins', () => {
  test('in silence with skipGreeting', () => {
    const session = new SimulatedSession({ config: { greeting: { ...greeting, skip: true } } }).connect().wait(3000);
    expect(session.performed('speech.say')).toEqual([]);
    expect(session.engine.questions).toEqual([]);
  });

  test('with the initial message, word for word, right after sessionready', () => {
    const session = new SimulatedSession({ config: { greeting } }).connect().wait(8000);
    expect(session.transcript()).toEqual([`persona: ${greeting.initialMessage}`]);
    expect(session.engine.questions).toEqual([]);
    expect((session.timesOf('speech.say')[0] ?? Infinity) - (session.timesOf('signal.ready')[0] ?? 0)).toBeLessThan(
      100,
    );
  });

  test('else with a greeting of the LLM, asked for in the language of the session', () => {
    const session = new SimulatedSession({
      config: { greeting: { ...greeting, initialMessage: null }, languageCode: 'de' },
    });
    session.engine.answer = () => ({ text: 'Guten Tag!' });
    session.connect().wait(4000);
    expect(session.engine.questions[0]?.messages.at(-1)).toEqual({
      role: 'user',
      content: `${MARK.instruction} ${de.sentences.greetInstruction} ${MARK.end}`,
    });
    expect(session.transcript()).toEqual(['persona: Guten Tag!']);
  });

  test('and the instruction for it is never remembered', () => {
    const session = new SimulatedSession({ config: { greeting: { ...greeting, initialMessage: null } } })
      .connect()
      .wait(4000);
    session.type('hi').wait(3000);
    const [, ...asked] = session.engine.questions.at(-1)!.messages;
    expect(JSON.stringify(asked)).not.toContain(MARK.instruction);
  });

  test('with the initial message only, where the client thinks', () => {
    const llm = { kind: 'client' } as const;
    expect(new SimulatedSession({ config: { llm, greeting } }).connect().wait(8000).transcript()).toHaveLength(1);
    const silent = new SimulatedSession({ config: { llm, greeting: { ...greeting, initialMessage: null } } })
      .connect()
      .wait(4000);
    expect(silent.performed('llm.request')).toEqual([]);
    expect(silent.performed('speech.say')).toEqual([]);
  });

  test('in silence with audio passthrough and in a group call', () => {
    for (const config of [
      { enableAudioPassthrough: true },
      { meeting: { displayName: 'Ada (AI)', groupCall: true } },
    ]) {
      const session = new SimulatedSession({ config: { ...config, greeting } }).connect().wait(4000);
      expect(session.performed('speech.say')).toEqual([]);
    }
  });
});

describe('a user who speaks during the greeting', () => {
  const words = 'wait what can you do for me';

  test('interrupts it', () => {
    const session = new SimulatedSession({ config: { greeting } }).connect().wait(1500);
    session.speak(words).wait(6000);
    expect(session.transcript()[0]).toMatch(/^persona: Hello there.*\|$/);
    expect(session.transcript()[1]).toBe(`user: ${words}`);
  });

  test('does not interrupt an uninterruptible one, and is answered afterwards', () => {
    const session = new SimulatedSession({ config: { greeting: { ...greeting, uninterruptible: true } } })
      .connect()
      .wait(1000);
    session.speak(words).wait(9000);
    expect(session.transcript()).toEqual([
      `persona: ${greeting.initialMessage}`,
      `user: ${words}`,
      'persona: All right.',
    ]);
  });

  test('before it is heard, makes it unnecessary', () => {
    const session = new SimulatedSession({ config: { greeting }, delays: { voiceFirstAudioMs: 1500 } }).connect();
    session.speak(words).wait(6000);
    expect(session.transcript()).toEqual([`user: ${words}`, 'persona: All right.']);
  });
});

/**
 * People clear their throat when a call begins. The greeting was dropped for it, and where prompts are off, nobody said
 * anything from then on.
 */
describe('a cough before the greeting is heard', () => {
  test.each([greeting, { ...greeting, initialMessage: null }])('only holds it back', (asked) => {
    const session = new SimulatedSession({ config: { greeting: asked }, delays: { voiceFirstAudioMs: 300 } });
    session.engine.answer = () => ({ text: 'Hello, I am Ada.' });
    session.connect().wait(30).cough(250).wait(10_000);
    expect(session.transcript()).toEqual([`persona: ${asked.initialMessage ?? 'Hello, I am Ada.'}`]);
    const coughedUntil = 280;
    expect(session.engine.heard[0]?.from).toBeGreaterThan(coughedUntil);
  });
});

test('the greeting is turn 0 of the report, without user fields', () => {
  const session = new SimulatedSession({ config: { greeting } }).connect().wait(8000);
  expect(session.reports('turn')[0]?.turn).toMatchObject({
    turnIndex: 0,
    userText: null,
    userSpeechStartedAt: null,
    personaText: greeting.initialMessage,
    finishReason: 'completed',
  });
});

test('the greeting is not repeated after a reconnect', () => {
  const session = new SimulatedSession({ config: { greeting } }).connect().wait(8000);
  session.dispatch({ type: 'offer.received', kind: 'replacement' });
  session.dispatch({ type: 'peer.connected', kind: 'replacement' });
  session.dispatch({ type: 'channel.opened' });
  session.wait(3000);
  expect(session.performed('speech.say').length).toBe(
    new SimulatedSession({ config: { greeting } }).connect().wait(8000).performed('speech.say').length,
  );
});
