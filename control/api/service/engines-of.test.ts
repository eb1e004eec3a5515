import { expect, it } from 'vitest';
import { enginesOf } from './engines-of.ts';

const status = (activeSessions: number) => ({
  ready: false,
  activeSessions,
  capacity: 9,
  capacityAlone: 12,
  free: 0,
  promise: 'kept',
  saving: 'none',
  paths: {},
});

// A drain asks how many sessions are live. Processes that drain offer no places, so the answer was none, and whoever had
// asked ended the service with all of its conversations.
it('a machine whose engine processes drain has its sessions all the same', async () => {
  const control = {
    engine: { status: () => status(0) },
    cluster: { lease: null, placement: { count: async () => ({ places: 0, free: 0 }) } },
    machine: { list: () => [3, 2].map((live) => ({ state: { status: status(live) } })), liveSessions: 5 },
    draining: () => true,
  } as unknown as Parameters<typeof enginesOf>[0];
  expect(await enginesOf(control)).toMatchObject({
    ready: false,
    activeSessions: 5,
    capacity: 5,
    capacityAlone: 24,
    freePlaces: 0,
  });
});
