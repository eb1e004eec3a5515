import { describe, expect, test } from 'vitest';
import type { SessionEvent } from '../events.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

function cue(tag: string, more: Partial<Extract<SessionEvent, { type: 'client.cue' }>> = {}): SessionEvent {
  return { type: 'client.cue', tag, inSeconds: null, atSeconds: null, problem: null, ...more };
}

describe("a client's cue", () => {
  test('shows at once and is confirmed', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(cue('happy'));
    session.wait(100);
    expect(session.performed('face.cue')).toContainEqual({ type: 'face.cue', tag: 'happy' });
    expect(session.messages('directorNoteCueApplied')[0]?.data).toMatchObject({
      session_id: session.config.sessionId,
      cue_tag: 'happy',
    });
  });

  test('with in_seconds shows that much later', () => {
    const session = new SimulatedSession().connect();
    session.dispatch(cue('sad', { inSeconds: 2 }));
    session.wait(1900);
    expect(session.performed('face.cue').filter(({ tag }) => tag === 'sad')).toEqual([]);
    session.wait(200);
    expect(session.performed('face.cue')).toContainEqual({ type: 'face.cue', tag: 'sad' });
  });

  test.each([
    ['unknown', cue('bored')],
    ['timed twice', cue('happy', { inSeconds: 1, atSeconds: 1 })],
    ['negative', cue('happy', { inSeconds: -1 })],
    ['broken', cue('happy', { problem: 'in_seconds must be a number' })],
  ])('that is %s is rejected by a warning', (_, event) => {
    const session = new SimulatedSession().connect();
    session.dispatch(event);
    session.wait(2000);
    expect(session.performed('signal.warning')[0]?.text).toMatch(/^Director note cue rejected: /);
    expect(session.messages('directorNoteCueApplied')).toEqual([]);
  });

  test('is ignored without a word by avatars that cannot act', () => {
    const session = new SimulatedSession({
      config: { avatar: { avatarId: 'a', model: 'cara-3', engineKey: 'a' } },
    }).connect();
    session.dispatch(cue('happy'));
    session.wait(500);
    expect(session.performed('face.cue').filter(({ tag }) => tag !== null)).toEqual([]);
    expect(session.performed('signal.warning')).toEqual([]);
  });

  test('drops no sound that is on its way', () => {
    const session = new SimulatedSession().connect();
    session.type('hi').wait(500);
    session.dispatch(cue('happy'));
    session.wait(3000);
    expect(session.performed('speech.cut')).toEqual([]);
    expect(session.transcript().at(-1)).toBe('persona: All right.');
  });
});

test('a cue inside the words of the LLM is acted, not spoken', () => {
  const session = new SimulatedSession().connect();
  session.engine.answer = () => ({ text: '[happy] That is good news.' });
  session.type('I won').wait(4000);
  expect(session.transcript()).toEqual(['persona: That is good news.']);
  expect(session.performed('face.cue')).toContainEqual({ type: 'face.cue', tag: 'happy' });
});
