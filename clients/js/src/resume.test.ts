import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { leaveSession, leftSession, resumeKey, takeLeftSession, type LeftSession } from './resume.ts';
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
const left = (more: Partial<LeftSession> = {}): LeftSession => ({
  start: START,
  messages: [message(0)],
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
  leaveSession('key', left());
  expect(leftSession('key', 2_000)).toEqual(left());
  expect(takeLeftSession('key', 2_000)).toEqual(left());
  expect(takeLeftSession('key', 2_000)).toBeNull();
});

it('forgets a session for which the service does not wait any longer', () => {
  leaveSession('key', left());
  expect(takeLeftSession('key', 21_001)).toBeNull();
});

it('keeps the last 200 messages', () => {
  leaveSession('key', left({ messages: Array.from({ length: 250 }, (_, index) => message(index)) }));
  expect(
    takeLeftSession('key', 2_000)
      ?.messages.map(({ id }) => id)
      .at(0),
  ).toBe('m50');
});

it('does without where the user allows no storage, or somebody else has written to it', () => {
  stored.set('key', 'not JSON');
  expect(takeLeftSession('key', 0)).toBeNull();
  const refuse = (): never => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  leaveSession('key', left());
  expect(takeLeftSession('key', 0)).toBeNull();
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
