import { describe, expect, test } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

function update(session: SimulatedSession, data: unknown): SimulatedSession {
  session.dispatch({ type: 'client.personaConfig', data });
  return session.wait(100);
}

describe('a mid-session update', () => {
  test('takes effect and is confirmed with before and after', () => {
    const session = update(new SimulatedSession().connect(), {
      languageCode: 'de',
      voiceDetectionOptions: { endOfSpeechSensitivity: 1, speechEnhancementLevel: 0.2 },
      voiceGenerationOptions: { speed: 1.2 },
    });
    expect(session.messages('personaConfigUpdateApplied')[0]?.data).toEqual({
      session_id: session.config.sessionId,
      changed_fields: {
        languageCode: { before: 'en', after: 'de' },
        'voiceDetectionOptions.endOfSpeechSensitivity': { before: 0.5, after: 1 },
        'voiceDetectionOptions.speechEnhancementLevel': { before: 0.8, after: 0.2 },
        'voiceGenerationOptions.speed': { before: null, after: 1.2 },
      },
    });
    expect(session.performed('audioIn.configure')).toContainEqual({
      type: 'audioIn.configure',
      language: 'de',
      enhancementLevel: 0.2,
    });
    expect(session.performed('speech.configure')[0]?.tuning).toMatchObject({ speed: 1.2 });
  });

  test('of the sensitivity changes how soon the next turn is answered', () => {
    const latency = (session: SimulatedSession) => {
      session.speak('what time is it');
      const ended = session.clock.now();
      session.wait(4000);
      return (session.timesOf('speech.say')[0] ?? Infinity) - ended;
    };
    expect(
      latency(update(new SimulatedSession().connect(), { voiceDetectionOptions: { endOfSpeechSensitivity: 1 } })),
    ).toBeLessThan(latency(new SimulatedSession().connect().wait(100)));
  });

  test('with one bad field is rejected whole, by a warning and nothing else', () => {
    const session = update(new SimulatedSession().connect(), {
      languageCode: 'de',
      voiceDetectionOptions: { endOfSpeechSensitivity: 7 },
    });
    expect(session.performed('signal.warning')[0]?.text).toMatch(
      /^Persona config update rejected: .*endOfSpeechSensitivity/,
    );
    expect(session.messages('personaConfigUpdateApplied')).toEqual([]);
    expect(session.performed('audioIn.configure')).toEqual([]);
  });

  test('that is empty gets no answer', () => {
    const session = update(new SimulatedSession().connect(), {});
    expect(session.messages('personaConfigUpdateApplied')).toEqual([]);
    expect(session.performed('signal.warning')).toEqual([]);
  });

  test('that changes nothing is confirmed with no fields', () => {
    expect(
      update(new SimulatedSession().connect(), { languageCode: 'en' }).messages('personaConfigUpdateApplied')[0]?.data
        .changed_fields,
    ).toEqual({});
  });

  test('survives a reconnect', () => {
    const session = update(new SimulatedSession().connect(), { voiceDetectionOptions: { endOfSpeechSensitivity: 1 } });
    session.dispatch({ type: 'offer.received', kind: 'restart' });
    session.dispatch({ type: 'peer.connected', kind: 'renewed' });
    update(session, { voiceDetectionOptions: { endOfSpeechSensitivity: 0 } });
    expect(session.messages('personaConfigUpdateApplied').at(-1)?.data.changed_fields).toEqual({
      'voiceDetectionOptions.endOfSpeechSensitivity': { before: 1, after: 0 },
    });
  });
});

test('context is remembered in silence and seen from the next user turn on', () => {
  const session = new SimulatedSession().connect();
  session.dispatch({ type: 'client.context', content: 'The cart holds three items.' });
  session.wait(3000);
  expect(session.engine.questions).toEqual([]);
  expect(session.messages('speechText')).toEqual([]);
  session.type('what is in my cart').wait(2000);
  expect(JSON.stringify(session.engine.questions[0]?.messages)).toContain('The cart holds three items.');
});

/**
 * The page told what the user was looking at, a moment after the user had asked about it. The answer had been generated
 * preemptively by then, without it, and was spoken.
 */
test('context that comes before the turn is decided is in the answer to it', () => {
  const session = new SimulatedSession().connect();
  session.wait(500).speak('what is in my cart').wait(300);
  expect(session.engine.questions).toHaveLength(1);
  session.dispatch({ type: 'client.context', content: 'The cart holds three items.' });
  session.wait(5_000);
  expect(session.engine.questions).toHaveLength(2);
  expect(JSON.stringify(session.engine.questions[1]?.messages)).toContain('The cart holds three items.');
  expect(session.transcript()).toEqual(['user: what is in my cart', 'persona: All right.']);
});
