import { describe, expect, test } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function spoken(): SimulatedSession {
  const session = new SimulatedSession().connect();
  session.engine.answer = () => ({ text: 'We open at nine. Come early, because it gets full soon.' });
  return session.wait(500).speak('what are your hours').wait(8000);
}

describe('speechText of the user', () => {
  test('is one chunk with the whole text, before anything of the persona', () => {
    const [first, ...others] = spoken().speechChunks();
    expect(first).toMatchObject({
      role: 'user',
      content: 'what are your hours',
      content_index: 0,
      end_of_speech: true,
      interrupted: false,
    });
    expect(others.every((chunk) => chunk.role === 'persona')).toBe(true);
  });

  test('has a message id of its own in every turn', () => {
    const session = spoken();
    session.speak('and on sundays').wait(8000);
    const ids = session
      .speechChunks()
      .filter((chunk) => chunk.role === 'user')
      .map((chunk) => chunk.message_id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test('is not sent for typed text, which the transcript has all the same', () => {
    const session = new SimulatedSession().connect();
    session.type('by hand').wait(3000);
    expect(session.speechChunks().filter((chunk) => chunk.role === 'user')).toEqual([]);
    expect(session.reports('message')[0]?.message).toMatchObject({ role: 'user', text: 'by hand' });
  });
});

describe('speechText of the persona', () => {
  test('has every required field in every chunk', () => {
    for (const chunk of spoken().speechChunks()) {
      expect(Object.keys(chunk).toSorted()).toEqual(
        expect.arrayContaining([
          'content',
          'content_index',
          'end_of_speech',
          'interrupted',
          'message_id',
          'role',
          'timestamp',
          'user_action_correlation_id',
        ]),
      );
      expect(chunk.message_id).toMatch(UUID);
      expect(chunk.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    }
  });

  test('counts its chunks and closes the message once', () => {
    const chunks = spoken()
      .speechChunks()
      .filter((chunk) => chunk.role === 'persona');
    expect(chunks.map((chunk) => chunk.content_index)).toEqual(chunks.map((_, at) => at));
    expect(chunks.filter((chunk) => chunk.end_of_speech)).toEqual([chunks.at(-1)]);
    expect(new Set(chunks.map((chunk) => chunk.message_id)).size).toBe(1);
  });

  test('joins its sentences with one space', () => {
    expect(spoken().transcript()[1]).toBe('persona: We open at nine. Come early, because it gets full soon.');
  });

  test('comes in step with the sound', () => {
    const session = spoken();
    const chunks = session.commands.filter(
      ({ command }) =>
        command.type === 'message.send' &&
        command.message.messageType === 'speechText' &&
        command.message.data.role === 'persona',
    );
    const span = (chunks.at(-1)?.at ?? 0) - (chunks[0]?.at ?? 0);
    expect(chunks.length).toBeGreaterThan(4);
    expect(span).toBeGreaterThan(2000);
  });

  test('carries the correlation id of the turn that it answers', () => {
    const session = spoken();
    const mark = session.messages('userSpeechStarted')[0]?.data.user_action_correlation_id;
    for (const chunk of session.speechChunks()) expect(chunk.user_action_correlation_id).toBe(mark);
    for (const chunk of session.speechChunks()) expect(chunk).not.toHaveProperty('correlationId');
  });

  test('of a cut message ends it as interrupted, with no word that was not heard', () => {
    const session = new SimulatedSession().connect();
    session.engine.answer = () => ({
      text: 'There are seven things to say about this, and the first one is rather long indeed.',
    });
    session.type('tell me').wait(2000).dispatch({ type: 'client.interrupt' });
    session.wait(2000);
    const chunks = session.speechChunks();
    expect(chunks.at(-1)).toMatchObject({ interrupted: true, end_of_speech: true });
    expect(chunks.slice(0, -1).every((chunk) => !chunk.interrupted && !chunk.end_of_speech)).toBe(true);
    const text = chunks.map((chunk) => chunk.content).join('');
    expect(text.length).toBeLessThan(40);
    expect(session.reports('message').at(-1)?.message).toMatchObject({ role: 'persona', text, interrupted: true });
    session.type('go on').wait(1000);
    expect(session.engine.questions.at(-1)?.messages).toContainEqual({
      role: 'assistant',
      content: `${text} [interrupted]`,
    });
  });

  test('of a message that was cut before any sound is not sent at all', () => {
    const session = new SimulatedSession({ delays: { voiceFirstAudioMs: 3000 } }).connect();
    session.type('tell me').wait(1500).dispatch({ type: 'client.interrupt' });
    session.wait(6000);
    expect(session.speechChunks()).toEqual([]);
  });

  test('of a turn that speaks, calls a tool and speaks again is one message', () => {
    const session = new SimulatedSession({
      config: {
        tools: [
          {
            kind: 'rag',
            name: 'look',
            description: 'x',
            parameters: { type: 'object', properties: {} },
            disableInterruptions: false,
            documentFolderIds: ['g'],
          },
        ],
      },
    }).connect();
    session.engine.answer = (_, index) =>
      index === 0 ? { text: 'Let me look.', calls: [{ name: 'look' }] } : { text: 'It is open.' };
    session.type('is it open').wait(8000);
    const chunks = session.speechChunks();
    expect(new Set(chunks.map((chunk) => chunk.message_id)).size).toBe(1);
    expect(chunks.map((chunk) => chunk.content).join('')).toBe('Let me look. It is open.');
    expect(chunks.filter((chunk) => chunk.end_of_speech)).toHaveLength(1);
  });

  test('holds no reasoning, cues or markup', () => {
    const session = new SimulatedSession().connect();
    session.engine.answer = () => ({
      text: '<think>secret plan</think>[happy] **Yes**, see [here](https://x.example/y). 😀',
    });
    session.type('well').wait(5000);
    expect(session.transcript()).toEqual(['persona: Yes, see here.']);
  });

  /** A text that was typed while the client's own audio played was lost: it only cut the audio. */
  test('that is typed during passthrough audio cuts it and is answered', () => {
    const session = new SimulatedSession({ config: { enableAudioPassthrough: true } }).connect();
    session.dispatch({ type: 'passthrough.started' });
    session.wait(500).type('hello').wait(3_000);
    expect(session.performed('speech.cut')).toHaveLength(1);
    expect(session.transcript()).toEqual(['persona: All right.']);
  });

  test('is not sent for passthrough audio', () => {
    const session = new SimulatedSession({ config: { enableAudioPassthrough: true } }).connect();
    session.dispatch({ type: 'passthrough.started' });
    session.wait(2000).dispatch({ type: 'passthrough.finished', interrupted: false });
    session.wait(500);
    expect(session.speechChunks()).toEqual([]);
    expect(session.reports('message')).toEqual([]);
  });
});

describe('reasoningText', () => {
  function thinking(reasoningFormat: 'parsed' | 'raw' | 'hidden'): SimulatedSession {
    const session = new SimulatedSession({
      config: { llm: { kind: 'service', llmId: 'l', displayName: 'l', reasoningFormat } },
    }).connect();
    session.engine.answer = () => ({ text: '<think>they want the time</think>It is noon.' });
    return session.type('time?').wait(4000);
  }

  test('shows the thinking of a parsed model, closed once', () => {
    const chunks = thinking('parsed')
      .messages('reasoningText')
      .map((message) => message.data);
    expect(chunks.map((chunk) => chunk.content).join('')).toBe('they want the time');
    expect(chunks.filter((chunk) => chunk.end_of_thought)).toEqual([chunks.at(-1)]);
    for (const chunk of chunks) {
      expect(chunk).not.toHaveProperty('end_of_speech');
      expect(chunk).not.toHaveProperty('interrupted');
    }
  });

  test.each(['raw', 'hidden'] as const)('shows nothing of a %s one, and strips it from speech', (format) => {
    const session = thinking(format);
    expect(session.messages('reasoningText')).toEqual([]);
    expect(session.transcript()).toEqual(['persona: It is noon.']);
  });

  test('never enters the history', () => {
    const session = thinking('parsed');
    session.type('and now?').wait(2000);
    expect(JSON.stringify(session.engine.questions.at(-1)?.messages)).not.toContain('they want');
  });
});
