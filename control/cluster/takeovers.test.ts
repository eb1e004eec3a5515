import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { SessionPast } from '../../engine/index.ts';
import type { Look, MovesInRedis } from './moves-in-redis.ts';
import { Takeovers } from './takeovers.ts';

const NOTHING: Look = { silent: [], coming: [], over: [], addresses: [] };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takeovers of engine `me`, over what Redis does in this test. */
function takeoversOver(moves: Partial<MovesInRedis>) {
  const clock = new SimulatedClock();
  const over: string[] = [];
  const gone: string[] = [];
  const takeovers = new Takeovers({
    moves: { look: async () => NOTHING, ...moves } as MovesInRedis,
    journals: { life: 'this life', has: () => false, take() {}, drop() {} } as never,
    lease: { engineId: 'me', fence: '1' } as never,
    client: { probe: async () => 'refused' },
    goOnWith: async ({ sessionId }: SessionPast) => void gone.push(sessionId),
    expect: async () => {},
    expectNoMore() {},
    giveUp: (sessionIds) => void over.push(...sessionIds),
    tell() {},
    timers: clock,
    log: pino({ level: 'silent' }),
  });
  return { clock, takeovers, over, gone };
}

// They were forgotten, and looked live for ever.
it('gives up sessions that are over, whoever finds that', async () => {
  const { takeovers, over } = takeoversOver({
    look: async () => ({ ...NOTHING, silent: [{ engineId: 'dead', fence: '1', url: '' }], over: ['one'] }),
    bury: async () => ({ sessions: 0, addresses: [], over: ['two'] }),
  });
  await takeovers.look();
  await settled();
  expect(over.toSorted()).toEqual(['one', 'two']);
});
