import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../events.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function chunk(content: string, more: Partial<Extract<SessionEvent, { type: 'client.talkChunk' }>> = {}): SessionEvent {
  return {
    type: 'client.talkChunk',
    content,
    startOfSpeech: false,
    endOfSpeech: false,
    correlationId: 'a1',
    utteranceId: null,
    ...more,
  };
}
const ONE = '0b9ad2b8-6b6e-4c1e-8a44-3a7c3a0d9f10';
const TWO = '1c9ad2b8-6b6e-4c1e-9a44-3a7c3a0d9f11';

describe('a talk stream', () => {
  test('is spoken without the LLM, begins before its end arrives, and carries its correlation id', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(chunk('Hello there, my friend. This ', { startOfSpeech: true }));
    session.wait(1000);
    expect(session.engine.isSpeaking).toBe(true);
    session.dispatch(chunk('is more.', { endOfSpeech: true }));
    session.wait(5000);
    expect(session.transcript()).toEqual(['persona: Hello there, my friend. This is more.']);
    expect(session.engine.questions).toEqual([]);
    for (const data of session.speechChunks())
      expect(data).toMatchObject({ correlationId: 'a1', user_action_correlation_id: 'a1' });
    expect(session.speechChunks().at(-1)).toMatchObject({ end_of_speech: true, interrupted: false });
  });

  test('enters the history as speech of the persona, and the transcript', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(chunk('I am from the stream.', { startOfSpeech: true, endOfSpeech: true }));
    session.wait(4000).type('what did you say').wait(2000);
    expect(session.engine.questions[0]?.messages).toContainEqual({
      role: 'assistant',
      content: 'I am from the stream.',
    });
    expect(session.reports('message')[0]?.message).toMatchObject({
      role: 'persona',
      text: 'I am from the stream.',
      interrupted: false,
    });
  });

  test('waits for the one before it', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(chunk('First of all this.', { startOfSpeech: true, endOfSpeech: true }));
    session.dispatch(chunk('And then that.', { startOfSpeech: true, endOfSpeech: true, correlationId: 'b2' }));
    session.wait(6000);
    expect(session.transcript()).toEqual(['persona: First of all this.', 'persona: And then that.']);
  });

  test('that gets no text for 15 s is closed; later chunks of it are dropped', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(chunk('Only this.', { startOfSpeech: true }));
    session.wait(10_000).dispatch(chunk(''));
    session.wait(6000);
    session.dispatch(chunk(' Too late.'));
    session.wait(3000);
    expect(session.transcript()).toEqual(['persona: Only this.']);
    expect(session.speechChunks().at(-1)).toMatchObject({ end_of_speech: true });
  });

  test('cut by an interrupt tells the client once, and its late chunks are dropped', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(
      chunk('This is a rather long sentence that nobody wants to hear to its end. ', { startOfSpeech: true }),
    );
    session.wait(1500).dispatch({ type: 'client.interrupt' });
    session.wait(500).dispatch(chunk('More of it.'));
    session.wait(3000);
    expect(session.performed('signal.talkInterrupted')).toEqual([
      { type: 'signal.talkInterrupted', correlationId: 'a1' },
    ]);
    expect(session.transcript()[0]).toMatch(/\|$/);
    expect(session.transcript()).toHaveLength(1);
  });

  /** A voice without words so far stopped only the stream that was heard, and the next one was spoken afterwards. */
  test.each([true, false])('cut by the user takes those that wait with it (partial text: %s)', (partials) => {
    const session = new SimulatedSession({ config: { llm: { kind: 'client' } } }).connect();
    session.dispatch(
      chunk('This is a rather long sentence that nobody wants to hear to its end. ', { startOfSpeech: true }),
    );
    session.dispatch(chunk('Nor this.', { startOfSpeech: true, endOfSpeech: true, correlationId: 'b2' }));
    session.wait(1000).speak('please tell me something else', undefined, { partials }).wait(6000);
    expect(session.performed('signal.talkInterrupted').map((command) => command.correlationId)).toEqual(['a1', 'b2']);
    expect(session.transcript()).toHaveLength(2);
    expect(session.transcript()[0]).toMatch(/^persona: This is .*\|$/);
    expect(session.transcript()[1]).toBe('user: please tell me something else');
  });

  test('goes on after a sound that was heard as a word', () => {
    const session = new SimulatedSession({ config: { llm: { kind: 'client' } } }).connect();
    session.dispatch(chunk('This is a rather long sentence. ', { startOfSpeech: true }));
    session.dispatch(chunk('And this is more.', { endOfSpeech: true }));
    session.wait(1000).beginToSpeak('hey', 400).wait(520);
    session.engine.finalText = '';
    session.wait(9000);
    expect(session.transcript()).toEqual(['persona: This is a rather long sentence. And this is more.']);
    expect(session.performed('signal.talkInterrupted')).toEqual([]);
  });

  test('with two utterances is one message in which the second begins with one joining space', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(chunk('One is said.', { startOfSpeech: true, utteranceId: ONE }));
    session.dispatch(chunk('Two is said.', { utteranceId: TWO }));
    session.dispatch(chunk('', { endOfSpeech: true, utteranceId: TWO }));
    session.wait(6000);
    expect(session.transcript()).toEqual(['persona: One is said. Two is said.']);
    const withText = session.speechChunks().filter((data) => data.content !== '');
    expect(withText.filter((data) => data.utterance_id === ONE)[0]?.content).toMatch(/^\S/);
    expect(withText.filter((data) => data.utterance_id === TWO)[0]?.content).toMatch(/^ \S/);
    expect(new Set(withText.map((data) => data.utterance_id))).toEqual(new Set([ONE, TWO]));
  });

  test('on older avatars carries no utterance ids', () => {
    const session = new SimulatedSession({
      config: { avatar: { avatarId: 'a', model: 'cara-3', engineKey: 'a' } },
    }).connect();
    session.dispatch(chunk('One is said.', { startOfSpeech: true, endOfSpeech: true, utteranceId: ONE }));
    session.wait(3000);
    for (const data of session.speechChunks()) expect(data).not.toHaveProperty('utterance_id');
  });
});

test('a talk command is spoken word for word and remembered', () => {
  const session = new SimulatedSession().connect();
  session.dispatch({ type: 'client.talk', content: 'Please say this.' });
  session.wait(3000);
  expect(session.transcript()).toEqual(['persona: Please say this.']);
  expect(session.reports('message')[0]?.message).toMatchObject({ role: 'persona', text: 'Please say this.' });
});
