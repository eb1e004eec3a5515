import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { RestorableSession } from '../../../engine/index.ts';
import { EngineRegistryInMemory } from '../engine-registry-in-memory.ts';
import { MovedSessions } from './moved-sessions.ts';

const log = pino({ level: 'silent' });
const past = (sessionId: string): RestorableSession => ({ sessionId, entries: [], state: null, ageMs: 0 });
const pastsOf = (count: number): RestorableSession[] => Array.from({ length: count }, (_, i) => past(`session-${i}`));

/** Sessions of a process that died, and its siblings with so many places each. */
async function afterDeath(siblings: number, placesOfEach: number) {
  const clock = new SimulatedClock();
  const registry = new EngineRegistryInMemory(() => clock.now());
  const tell = async (places: number): Promise<void> => {
    for (let number = 1; number <= siblings; number++)
      await registry.renew(
        {
          id: `engine-${number}`,
          url: 'http://127.0.0.1:1',
          region: '',
          version: '1',
          places,
          used: 0,
          draining: false,
        },
        null,
      );
  };
  await tell(placesOfEach);
  const replays: {
    readonly engineId: string;
    readonly sessionId: string;
    readonly ageMs: number | null;
    end(error?: Error): void;
  }[] = [];
  const moved = new MovedSessions({
    registry,
    siblings,
    takeOver: (engineId, { sessionId, ageMs }) =>
      new Promise((resolve, reject) =>
        replays.push({
          engineId,
          sessionId,
          ageMs,
          end: (error) => (error === undefined ? resolve() : reject(error)),
        }),
      ),
    timers: clock,
    log,
  });
  /** What is due now has happened. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { clock, moved, replays, tell, settled };
}

// Two at a time for the whole machine made the last of 24 calls wait for 6 s on 64 cores.
it.each([
  [1, 2],
  [3, 6],
])('%i siblings replay %i sessions at a time: two each', async (siblings, atATime) => {
  const { moved, replays, settled } = await afterDeath(siblings, 20);
  const lost = moved.move(pastsOf(8));
  await settled();
  expect(replays).toHaveLength(atATime);
  replays[0]!.end();
  await settled();
  expect(replays).toHaveLength(atATime + 1);
  for (let ended = 1; ended < 8; ended++) {
    replays[ended]!.end();
    await settled();
  }
  expect(await lost).toEqual([]);
  expect(new Set(replays.map(({ sessionId }) => sessionId)).size).toBe(8);
});

it('tries another process when one cannot go on with a session, and then gives the session up', async () => {
  const { moved, replays, settled } = await afterDeath(3, 20);
  const lost = moved.move(pastsOf(1));
  await settled();
  replays[0]!.end(new Error('the past is damaged'));
  await settled();
  replays[1]!.end(new Error('the past is damaged'));
  expect(await lost).toEqual(['session-0']);
  expect(new Set(replays.map(({ engineId }) => engineId)).size).toBe(2);
});

it('waits for a place as long as clients wait', async () => {
  const { clock, moved, replays, tell, settled } = await afterDeath(1, 0);
  const lost = moved.move(pastsOf(2));
  for (let waited = 0; waited < 5_000; waited += 250) {
    await settled();
    clock.increment(250);
  }
  expect(replays).toHaveLength(0);
  await tell(1);
  clock.increment(250);
  await settled();
  expect(replays).toHaveLength(1);
  replays[0]!.end();
  await settled();
  // The place of the first is free again for as long as its process has not reported it.
  clock.increment(250);
  await settled();
  expect(replays).toHaveLength(2);
  replays[1]!.end();
  expect(await lost).toEqual([]);
});

// The half minute of each began when its turn came, so a client was gone before its session was given up.
it('counts how long clients wait from the death on, for those that come last as well', async () => {
  const { clock, moved, replays, tell, settled } = await afterDeath(1, 20);
  const lost = moved.move(pastsOf(3));
  await settled();
  clock.increment(29_000);
  await tell(20);
  replays[0]!.end();
  await settled();
  expect(replays.map(({ ageMs }) => ageMs)).toEqual([0, 0, 29_000]);
  replays[1]!.end();
  clock.increment(2_000);
  replays[2]!.end(new Error('it is too busy'));
  await settled();
  expect(await lost).toEqual(['session-2']);
});

it('gives a session up that finds no place within half a minute', async () => {
  const { clock, moved, replays, settled } = await afterDeath(1, 0);
  const lost = moved.move(pastsOf(1));
  for (let waited = 0; waited <= 30_000; waited += 250) {
    await settled();
    clock.increment(250);
  }
  expect(await lost).toEqual(['session-0']);
  expect(replays).toHaveLength(0);
});
