import { describe, expect, test } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

function marks(session: SimulatedSession): string[] {
  return session
    .performed('message.send')
    .flatMap(({ message }) =>
      message.messageType === 'userSpeechStarted'
        ? ['started']
        : message.messageType === 'userSpeechEnded'
          ? ['ended']
          : message.messageType === 'speechText' && message.data.role === 'user'
            ? ['text']
            : [],
    );
}

describe('userSpeechStarted and userSpeechEnded', () => {
  test('come before the transcript, with the id of the turn', () => {
    const session = new SimulatedSession().connect().speak('what time is it').wait(4000);
    expect(marks(session)).toEqual(['started', 'ended', 'text']);
    const id = session.messages('userSpeechStarted')[0]?.data.user_action_correlation_id;
    expect(session.messages('userSpeechEnded')[0]?.data.user_action_correlation_id).toBe(id);
    expect(session.speechChunks()[0]?.user_action_correlation_id).toBe(id);
  });

  test('come again, with the same id, when a pause is inside the turn', () => {
    const session = new SimulatedSession()
      .connect()
      .speak('I would like to')
      .wait(600)
      .speak('change my address')
      .wait(4000);
    expect(marks(session)).toEqual(['started', 'ended', 'started', 'ended', 'text']);
    const ids = [...session.messages('userSpeechStarted'), ...session.messages('userSpeechEnded')].map(
      (message) => message.data.user_action_correlation_id,
    );
    expect(new Set(ids).size).toBe(1);
    expect(session.speechChunks()[0]?.content).toBe('I would like to change my address');
  });

  test('are a pair without a message for a cough', () => {
    const session = new SimulatedSession().connect();
    session.cough(300).wait(5000);
    expect(marks(session)).toEqual(['started', 'ended']);
  });

  test('are not sent for typed text', () => {
    const session = new SimulatedSession().connect().type('hi').wait(3000);
    expect(marks(session)).toEqual([]);
  });

  test('alternate, whatever the user does', () => {
    const session = new SimulatedSession().connect();
    for (const ms of [200, 900, 100, 1500, 400, 5000]) session.speak('well then', 600).wait(ms).cough(200).wait(ms);
    const only = marks(session).filter((mark) => mark !== 'text');
    expect(only.length).toBeGreaterThan(6);
    expect(only.filter((_, at) => at % 2 === 0).every((mark) => mark === 'started')).toBe(true);
    expect(only.filter((_, at) => at % 2 === 1).every((mark) => mark === 'ended')).toBe(true);
  });
});
