import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { RestorableSession } from '../../engine/index.ts';
import type { Look, MovesInRedis } from './moves-in-redis.ts';
import { Takeovers } from './takeover.ts';

const NOTHING: Look = { silent: [], coming: [], over: [], addresses: [] };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takeovers of engine `me`, over what Redis does in this test. */
function takeoversOver(moves: Partial<MovesInRedis>) {
  const over: string[] = [];
  const gone: string[] = [];
  const takeovers = new Takeovers({
    moves: { look: async () => NOTHING, ...moves } as MovesInRedis,
    journals: { life: 'this life', has: () => false, take() {}, drop() {} } as never,
    lease: { engineId: 'me', fence: '1' } as never,
    client: { probe: async () => 'refused' },
    restore: async ({ sessionId }: RestorableSession) => void gone.push(sessionId),
    expect: async () => {},
    expectNoMore() {},
    giveUp: (sessionIds) => void over.push(...sessionIds),
    tell() {},
    timers: new SimulatedClock(),
    log: pino({ level: 'silent' }),
  });
  return { takeovers, over, gone };
}

// They were forgotten, and looked live for ever.
it('gives up sessions that are over, whoever finds that', async () => {
  const { takeovers, over } = takeoversOver({
    look: async () => ({ ...NOTHING, silent: [{ engineId: 'dead', fence: '1', url: '' }], over: ['one'] }),
    declareDead: async () => ({ sessions: 0, addresses: [], over: ['two'] }),
  });
  await takeovers.look();
  await settled();
  expect(over.toSorted()).toEqual(['one', 'two']);
});

/**
 * Redis made this engine the owner, and then did not answer while the journal was read. Nobody else took the session then,
 * and clients were told that there is none.
 */
it.each([
  ['its journal is read', '7'],
  ['it is taken', null],
])('puts a session back when Redis does not answer while %s', async (_, fence) => {
  const away = new Error('Redis does not answer');
  const puts: unknown[] = [];
  let state: 'away' | 'back' = 'away';
  const { takeovers, gone } = takeoversOver({
    async take(sessionId) {
      if (fence === null && state === 'away') throw away;
      return { sessionId, fence: fence ?? '8', entries: 0, state: null, ageMs: 0, isStrict: false };
    },
    async restorable({ sessionId, fence: now }) {
      if (state === 'away') throw away;
      const past = { sessionId, entries: [], state: null, ageMs: 0 };
      return { past, journal: { fence: now, entries: [], isStrict: false } };
    },
    async putBack(...args) {
      puts.push(args);
      if (state === 'away') throw away;
    },
  });
  const put = ['me', 'this life', { sessionId: 'session', fence, why: 'unread' }];
  await takeovers.take('session');
  await takeovers.look();
  expect(puts).toEqual([put, put]);
  state = 'back';
  await takeovers.look();
  await takeovers.look();
  expect(puts).toEqual([put, put, put]);
  await takeovers.take('session');
  await takeovers.look();
  expect(gone).toEqual(['session']);
  expect(puts).toHaveLength(3);
});
