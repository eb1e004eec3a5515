import { describe, expect, it } from 'vitest';
import type { HeardEvent } from '../../e2e/support/sdk-session.ts';
import { recordingTurns, isAnswered, isSpeaking } from './recording-turns.ts';

const event = (name: string, arg: unknown): HeardEvent => ({ event: name, at: 0, args: [arg] });
const began = (turn: string) => event('USER_SPEECH_STARTED', turn);
const message = (role: 'user' | 'persona', id: string, turn: string, content: string, endOfSpeech = true) =>
  event('MESSAGE_STREAM_EVENT_RECEIVED', { id, role, content, endOfSpeech, interrupted: false, correlationId: turn });

describe('what became of a recording', () => {
  // The bench took the end of any answer for that of the newest recording, and played the next one over a long reply.
  const events = [
    began('t1'),
    message('user', 'm1', 't1', 'ten of clubs'),
    message('persona', 'p1', 't1', 'Yes, and', false),
    began('t2'),
    message('persona', 'p1', 't1', ' so on.'),
  ];

  it('the end of the answer to an older recording is no answer to this one', () => {
    expect(isAnswered(events, recordingTurns(events, 3))).toBe(false);
    expect(isAnswered(events, recordingTurns(events, 0, 3))).toBe(true);
  });

  it('words that come after the next one began are still those of the recording that was being said', () => {
    const late = [
      ...events,
      message('user', 'm2', 't2', 'seven of clubs'),
      message('user', 'm1', 't1b', 'ten of hearts'),
    ];
    expect(recordingTurns(late, 0, 3)).toEqual({ turnIds: ['t1', 't1b'], messages: ['ten of hearts'] });
    expect(recordingTurns(late, 3)).toEqual({ turnIds: ['t2'], messages: ['seven of clubs'] });
  });

  it('the last of its turns is the one to be answered', () => {
    const halves = [
      began('t1'),
      message('user', 'm1', 't1', 'ask not'),
      message('persona', 'p1', 't1', 'Well'),
      began('t2'),
      message('user', 'm2', 't2', 'what your country can do'),
    ];
    expect(isAnswered(halves, recordingTurns(halves, 0))).toBe(false);
  });

  it('late words are answered as a turn of their own', () => {
    const late = [...events.slice(0, 2), message('persona', 'p2', 't1b', 'Ten of hearts?')];
    expect(isAnswered(late, recordingTurns(late, 0))).toBe(true);
  });

  it('a persona speaks from the first piece of a message to its last', () => {
    expect(isSpeaking(events.slice(0, 2))).toBe(false);
    expect(isSpeaking(events.slice(0, 4))).toBe(true);
    expect(isSpeaking(events)).toBe(false);
  });
});
