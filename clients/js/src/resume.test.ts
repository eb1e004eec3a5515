import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveSession, readSavedSession, resumeKey, takeSavedSession, type SavedSession } from './resume.ts';
import type { StartResponse } from './start-response.ts';

const START: StartResponse = {
  sessionId: 's',
  engineHost: 'talk.example.com',
  engineProtocol: 'https',
  signallingEndpoint: '/ws',
  clientConfig: { iceServers: [] },
};
const message = (index: number) =>
  ({ id: `m${index}`, role: 'user', content: 'Hi', state: 'complete', interrupted: false, atMs: index }) as const;
const left = (more: Partial<SavedSession> = {}): SavedSession => ({
  start: START,
  messages: [message(0)],
  pieces: { m0: 1 },
  startedAt: 0,
  leftAt: 1_000,
  ...more,
});

const stored = new Map<string, string>();
beforeEach(() =>
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }),
);
afterEach(() => {
  vi.unstubAllGlobals();
  stored.clear();
});

it('gives the session to the next page, once', () => {
  saveSession('key', left());
  expect(readSavedSession('key', 2_000)).toEqual(left());
  expect(takeSavedSession('key', 2_000)).toEqual(left());
  expect(takeSavedSession('key', 2_000)).toBeNull();
});

it('forgets a session for which the service does not wait any longer', () => {
  saveSession('key', left());
  expect(takeSavedSession('key', 21_001)).toBeNull();
});

it('keeps the last 200 messages', () => {
  saveSession('key', left({ messages: Array.from({ length: 250 }, (_, index) => message(index)) }));
  expect(
    takeSavedSession('key', 2_000)
      ?.messages.map(({ id }) => id)
      .at(0),
  ).toBe('m50');
});

it('does without where the user allows no storage, or somebody else has written to it', () => {
  stored.set('key', 'not JSON');
  expect(takeSavedSession('key', 0)).toBeNull();
  const refuse = (): never => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  saveSession('key', left());
  expect(takeSavedSession('key', 0)).toBeNull();
});

it('is off unless it is asked for', () => {
  expect([undefined, false, '', true, 'support'].map(resumeKey)).toEqual([
    null,
    null,
    null,
    'parley-session',
    'parley-session:support',
  ]);
});
