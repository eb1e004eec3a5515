import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

const fixed = { skip: false, initialMessage: 'Hello, I am Ada, and I am glad that you are here today.', uninterruptible: false };

describe('greeting', () => {
  it('says nothing with skipGreeting', () => {
    const s = new SimulatedSession({ config: { greeting: { ...fixed, skip: true } } }).connect().wait(3_000);
    expect(s.performed('speech.say')).toEqual([]);
    expect(s.engine.questions).toEqual([]);
  });

  it('speaks the initial message verbatim, right after sessionready', () => {
    const s = new SimulatedSession({ config: { greeting: fixed } }).connect().wait(6_000);
    expect(s.transcript()).toEqual([`persona: ${fixed.initialMessage}`]);
    expect(s.timesOf('speech.say')[0]).toBe(s.timesOf('signal.ready')[0]);
    expect(s.engine.questions).toEqual([]);
  });

  it('otherwise lets the mind make one by a hidden instruction that is not remembered', () => {
    const s = new SimulatedSession({ config: { greeting: { ...fixed, initialMessage: null } } });
    s.engine.answer = () => ({ text: 'Welcome!' });
    s.connect().wait(2_000);
    expect(s.transcript()).toEqual(['persona: Welcome!']);
    expect(s.engine.questions[0]?.messages.at(-1)?.content).toContain('Greet the user in English');
    s.type('hi').wait(50);
    expect(s.engine.questions[1]?.messages.slice(1)).toEqual([{ role: 'assistant', content: 'Welcome!' }, { role: 'user', content: 'hi' }]);
  });

  it('without a mind of its own speaks only an initial message', () => {
    const mind = { kind: 'client' } as const;
    expect(new SimulatedSession({ config: { mind, greeting: fixed } }).connect().wait(6_000).transcript()).toHaveLength(1);
    expect(new SimulatedSession({ config: { mind, greeting: { ...fixed, initialMessage: null } } }).connect().wait(3_000).commands.filter(({ command }) => command.type === 'mind.ask')).toEqual([]);
  });

  it('is left out with audio passthrough and in a group call', () => {
    expect(new SimulatedSession({ config: { greeting: fixed, enableAudioPassthrough: true } }).connect().wait(3_000).transcript()).toEqual([]);
    expect(new SimulatedSession({ config: { greeting: fixed, groupCall: true } }).connect().wait(3_000).transcript()).toEqual([]);
  });

  it('is dropped when the user starts to talk before its first sound', () => {
    const s = new SimulatedSession({ config: { greeting: { ...fixed, initialMessage: null } } });
    s.engine.answer = (_, index) => ({ text: index === 0 ? 'Welcome!' : 'It is noon.', afterMs: 800 });
    s.connect().speak('what time is it', 1_200).wait(5_000);
    expect(s.transcript()).toEqual(['user: what time is it', 'persona: It is noon.']);
  });

  it('that must not be interrupted is spoken to its end; what the user said meanwhile is answered afterwards', () => {
    const s = new SimulatedSession({ config: { greeting: { ...fixed, uninterruptible: true } } }).connect().wait(500);
    s.engine.answer = () => ({ text: 'Of course.' });
    s.speak('stop I want to order a pizza', 1_500).wait(8_000);
    expect(s.transcript()).toEqual([`persona: ${fixed.initialMessage}`, 'user: stop I want to order a pizza', 'persona: Of course.']);
    expect(s.performed('speech.cut')).toEqual([]);
    expect(s.performed('speech.duck')).toEqual([]);
  });

  it('that must not be interrupted is not stopped by text or by the interrupt message either', () => {
    const s = new SimulatedSession({ config: { greeting: { ...fixed, uninterruptible: true } } }).connect().wait(500);
    s.type('hello?').dispatch({ type: 'client.interrupt' });
    s.wait(8_000);
    expect(s.transcript()).toEqual([`persona: ${fixed.initialMessage}`, 'persona: All right.']);
  });

  it('is turn 0 with null user fields', () => {
    const s = new SimulatedSession({ config: { greeting: fixed } }).connect().wait(6_000);
    s.speak('hello there').wait(4_000);
    const [greeting, first] = s.reports('turn').map((entry) => entry.turn);
    expect(greeting).toMatchObject({ turnIndex: 0, userText: null, userSpeechStartedAt: null, personaText: fixed.initialMessage, finishReason: 'completed' });
    expect(first).toMatchObject({ turnIndex: 1, userText: 'hello there' });
  });

  it('is not repeated after a reconnect, also not for a replaced peer', () => {
    const s = new SimulatedSession({ config: { greeting: fixed } }).connect().wait(6_000);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(5_000).dispatch({ type: 'peer.connected', kind: 'replacement' });
    s.dispatch({ type: 'channel.opened' });
    s.wait(2_000);
    expect(s.transcript()).toHaveLength(1);
    expect(s.performed('signal.ready')).toHaveLength(2);
  });
});
