import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function withSensitivity(endOfSpeechSensitivity: number, more: Partial<typeof VOICE_DETECTION_DEFAULTS> = {}) {
  return {
    voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0, endOfSpeechSensitivity, ...more },
  };
}

/** From the last voiced sample to the user's message. */
function waited(s: SimulatedSession): number {
  const turn = s.reports('turn').at(-1)?.turn;
  return (turn?.endOfTurnAt ?? 0) - (turn?.userSpeechEndedAt ?? 0);
}

describe('end of turn', () => {
  it.each([
    [0, 1_200],
    [0.5, 700],
    [1, 200],
  ])('at sensitivity %d a finished sentence is answered %d ms after its last sound', (sensitivity, ms) => {
    const s = new SimulatedSession({ config: withSensitivity(sensitivity), delays: { finalMs: 30 } }).connect();
    s.wait(500).speak('what are your opening hours').wait(6_000);
    expect(waited(s)).toBeGreaterThanOrEqual(ms);
    // The recognizer's answer was asked for in time: nothing is lost to it.
    expect(waited(s)).toBeLessThanOrEqual(ms + 25);
  });

  it('waits two and a half times as long when the words look unfinished', () => {
    const s = new SimulatedSession({ config: withSensitivity(0.5) }).connect();
    s.wait(500).speak('I would like to').wait(8_000);
    expect(waited(s)).toBeCloseTo(1_750, -1);
  });

  it('never waits longer than silenceBeforeAutoEndTurnSeconds', () => {
    const s = new SimulatedSession({ config: withSensitivity(0, { silenceBeforeAutoEndTurnSeconds: 0.8 }) }).connect();
    s.wait(500).speak('I would like to').wait(8_000);
    expect(waited(s)).toBeCloseTo(800, -1);
  });

  it('tells the client in order: started, ended, the whole text once, then the persona', () => {
    const s = new SimulatedSession().connect().wait(500).speak('how are you').wait(4_000);
    const kinds = s
      .performed('message.send')
      .map(({ message }) => (message.messageType === 'speechText' ? message.data.role : message.messageType));
    expect(kinds.slice(0, 4)).toEqual(['userSpeechStarted', 'userSpeechEnded', 'user', 'persona']);
    const ids = [...s.messages('userSpeechStarted'), ...s.messages('userSpeechEnded'), ...s.messages('speechText')].map(
      ({ data }) => data.user_action_correlation_id,
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('tells that the user speaks before there is any transcript', () => {
    const s = new SimulatedSession().connect().wait(500);
    s.speak('hello', 400, { delayMs: 1_000 });
    expect(s.messages('userSpeechStarted')).toHaveLength(1);
  });

  it('a pause inside the turn gives a second pair of marks with the same id, and one message', () => {
    const s = new SimulatedSession({ config: withSensitivity(0) }).connect().wait(500);
    s.speak('I would like').wait(600).speak('a table for two').wait(5_000);
    expect(s.transcript()[0]).toBe('user: I would like a table for two');
    const ids = [...s.messages('userSpeechStarted'), ...s.messages('userSpeechEnded')].map(
      (message) => message.data.user_action_correlation_id,
    );
    expect(ids).toHaveLength(4);
    expect(new Set([...ids, s.speechChunks()[0]?.user_action_correlation_id]).size).toBe(1);
  });

  it('generates preemptively while it waits, and speaks as soon as the turn is over', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 300 } })
      .connect()
      .wait(500)
      .speak('how are you today')
      .wait(4_000);
    const said = s.timesOf('speech.say')[0] ?? 0;
    const turn = s.reports('turn')[0]?.turn;
    expect(said).toBe(turn?.endOfTurnAt);
    expect(s.engine.questions).toHaveLength(1);
  });

  /**
   * Whisper had read "ten of clubs" 50 ms before the end-of-turn model had judged its sound (0.99). The turn had all its words
   * then, and took no verdict any more: it waited 0.7 s, where 0.42 were enough.
   */
  it('takes the verdict on the sound also after the final text', () => {
    const s = new SimulatedSession({ endOfTurnModelAvailable: true, delays: { finalMs: 20 } }).connect().wait(500);
    s.speak('it is the ten of clubs').wait(320);
    expect(s.recorded.filter(({ event }) => event.type === 'stt.final')).toHaveLength(1);
    s.dispatch({ type: 'endOfTurn.predicted', probability: 0.99 });
    s.wait(4_000);
    const turn = s.reports('turn')[0]?.turn;
    expect((turn?.endOfTurnAt ?? 0) - (turn?.userSpeechEndedAt ?? 0)).toBe(420);
  });

  it('prepares its first words while it waits: a slow voice is heard as soon as the turn is over', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 50, voiceFirstAudioMs: 400 } }).connect().wait(500);
    s.engine.answer = () => ({ text: 'I am fine. And how are you?' });
    s.speak('how are you today').wait(4_000);
    const turn = s.reports('turn')[0]?.turn;
    expect(turn?.speakingStartedAt).toBe(turn?.endOfTurnAt);
    expect(s.performed('speech.prepare').map(({ text }) => text)).toEqual(['I am fine.']);
  });

  /**
   * A real conversation, 2026-11-27: Whisper shows the words on which two readings agree while somebody speaks, so the last ones
   * come when the voice has stopped. The LLM was asked without them, and the voice was still busy with that answer when it was
   * to speak the right one: 0.2 s later than it could have.
   */
  it('asks nobody with words of which the last ones are about to come', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 50 } }).connect().wait(500);
    s.beginToSpeak('how are you today', 900, { partials: false }).wait(700);
    s.dispatch({ type: 'stt.partial', text: 'how are you', place: 'behind' });
    s.wait(450);
    expect(s.engine.questions).toEqual([]);
    s.dispatch({ type: 'stt.partial', text: 'how are you today' });
    s.wait(4_000);
    expect(s.engine.questions.map(({ messages }) => messages.at(-1)?.content)).toEqual(['how are you today']);
    expect(s.performed('speech.prepare')).toHaveLength(1);
  });

  it('what was generated preemptively writes nothing, says nothing and calls nothing when the user goes on', () => {
    const s = new SimulatedSession({ config: withSensitivity(0) }).connect().wait(500);
    s.engine.answer = (question) =>
      question.messages.at(-1)?.content === 'book a table'
        ? { text: 'Booked!', calls: [{ name: 'book' }] }
        : { text: 'For two, then.' };
    s.speak('book a table').wait(700);
    expect(s.engine.questions).toHaveLength(1);
    s.speak('for two people').wait(6_000);
    expect(s.transcript()).toEqual(['user: book a table for two people', 'persona: For two, then.']);
    expect(s.performed('llm.cancel').length).toBeGreaterThan(0);
    expect(s.messages('toolCallStarted')).toEqual([]);
    expect(s.engine.questions.at(-1)?.messages.filter((message) => message.role === 'user')).toEqual([
      { role: 'user', content: 'book a table for two people' },
    ]);
  });

  it('asks again when the final text differs from what was generated preemptively for', () => {
    const s = new SimulatedSession().connect().wait(500).speak('call my mother').wait(100);
    s.engine.finalText = 'call my brother';
    s.wait(4_000);
    expect(s.engine.questions.map((question) => question.messages.at(-1)?.content)).toEqual([
      'call my mother',
      'call my brother',
    ]);
    expect(s.transcript()[0]).toBe('user: call my brother');
  });

  it('a user who goes on after the message was sent gets a new message, and the pending answer is dropped', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 3_000 } }).connect().wait(500);
    s.speak('tell me a joke').wait(1_200);
    expect(s.transcript()).toEqual(['user: tell me a joke']);
    s.speak('about penguins please').wait(6_000);
    expect(s.transcript()).toEqual(['user: tell me a joke', 'user: about penguins please', 'persona: All right.']);
    const ids = s
      .speechChunks()
      .filter((chunk) => chunk.role === 'user')
      .map((chunk) => chunk.message_id);
    expect(new Set(ids).size).toBe(2);
  });

  it('learns the pauses of a speaker, within bounds', () => {
    const s = new SimulatedSession({ config: withSensitivity(1) }).connect().wait(500);
    // Pauses of 190 ms are just below the wait of 200 ms at first.
    for (let turn = 0; turn < 3; turn += 1)
      s.speak('one two three', 900)
        .wait(190)
        .speak('four five six', 900)
        .wait(190)
        .speak('seven eight', 700)
        .wait(3_000);
    expect(s.transcript().filter((line) => line.startsWith('user'))).toHaveLength(3);
    expect(waited(s)).toBeGreaterThan(205);
    expect(waited(s)).toBeLessThanOrEqual(320 + 25);
  });

  it('a cough or noise without words produces a pair of marks and no message', () => {
    const s = new SimulatedSession().connect().wait(500).cough(400).wait(3_000);
    expect(s.messages('userSpeechStarted')).toHaveLength(1);
    expect(s.messages('userSpeechEnded')).toHaveLength(1);
    expect(s.transcript()).toEqual([]);
    expect(s.engine.questions).toEqual([]);
  });

  it('a recognizer that gives no partial text still works', () => {
    const s = new SimulatedSession().connect().wait(500).speak('how are you', 900, { partials: false }).wait(4_000);
    expect(s.transcript()).toEqual(['user: how are you', 'persona: All right.']);
  });

  it('a recognizer that never answers costs one turn three seconds, not the session', () => {
    const s = new SimulatedSession({ delays: { finalMs: 1e9 } }).connect().wait(500).speak('how are you').wait(8_000);
    expect(s.transcript()).toEqual(['user: how are you', 'persona: All right.']);
  });

  it('the end-of-turn model can shorten a wait that the words would lengthen', () => {
    const s = new SimulatedSession({ config: withSensitivity(0.5), endOfTurnModelAvailable: true })
      .connect()
      .wait(500)
      .speak('I would like to')
      .wait(200);
    expect(s.performed('endOfTurn.predict')).toHaveLength(1);
    s.dispatch({ type: 'endOfTurn.predicted', probability: 0.98 });
    s.wait(5_000);
    expect(waited(s)).toBeCloseTo(1225, -1);
  });
});
