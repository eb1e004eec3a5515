import pino from 'pino';
import { expect, it } from 'vitest';
import { Handovers } from './handover.ts';

/** Sessions of an engine that leaves. @param successors what is answered to whoever asks for one, in this order. */
function scene(sessions: readonly string[], successors: (string | { unable: string } | null)[], others = 1) {
  const here = new Set(sessions);
  const did: string[] = [];
  let pauses = 0;
  const log = pino({ level: 'silent' });
  const handovers = new Handovers({
    engine: {
      async handOver(id) {
        did.push(`${id} leaves`);
        return here.delete(id);
      },
    },
    cluster: {
      placement: { count: async () => ({ places: others, free: 0 }) },
      movable: () => [...here],
      canMove: (id) => here.has(id),
      async findSuccessor(id, unwanted = []) {
        did.push([id, ...unwanted].join(' but not '));
        const next = successors.shift() ?? null;
        return typeof next === 'string' ? { engineId: next, url: '' } : next;
      },
      offerSession: async (id, { engineId }) => void did.push(`${id} to ${engineId}`),
      hasMoved: async () => true,
    },
    timers: {
      now: () => 0,
      setTimeout(run) {
        pauses += 1;
        // Whoever waits for nothing would wait here for ever.
        if (pauses > 5) handovers.stop();
        queueMicrotask(run);
      },
      clearTimeout() {},
    },
    log,
  });
  return { handovers, did, here, pauses: () => pauses };
}

it('a session leaves when another engine is ready for it, not before', async () => {
  const { handovers, did } = scene(['one'], ['other']);
  expect(await handovers.run('with others')).toBe(1);
  expect(did).toEqual(['one', 'one leaves', 'one to other']);
});

it('an engine that cannot go on with it is not asked again', async () => {
  const { handovers, did } = scene(['one'], [{ unable: 'old' }, 'other']);
  expect(await handovers.run('with others')).toBe(1);
  expect(did).toEqual(['one', 'one but not old', 'one leaves', 'one to other']);
});

it('sessions that found no place are tried again when places get free', async () => {
  const { handovers, here, pauses } = scene(['one', 'two'], ['other', null, null, 'other']);
  expect(await handovers.run('with others')).toBe(2);
  expect(here.size).toBe(0);
  expect(pauses()).toBe(2);
});

it('without another engine they stay, and a process that is to stop does not wait for one', async () => {
  const stopping = scene(['one'], [], 0);
  expect(await stopping.handovers.run('with others')).toBe(0);
  expect(stopping.pauses()).toBe(0);
  const draining = scene(['one'], [null, null, 'new'], 0);
  expect(await draining.handovers.run('in any case')).toBe(1);
});

it('nothing more leaves once stopped', async () => {
  const { handovers, here } = scene(['one'], []);
  const running = handovers.run('in any case');
  handovers.stop();
  expect(await running).toBe(0);
  expect(here.size).toBe(1);
});
