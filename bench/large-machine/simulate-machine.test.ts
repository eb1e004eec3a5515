import { expect, it } from 'vitest';
import { simulateMachine } from './simulate-machine.ts';

const MACHINE = { cores: 16, memoryBytes: 32 * 1024 ** 3 };

it('loads all processes evenly', async () => {
  const { processes, places, sessions, refusedShare, least, most } = await simulateMachine(MACHINE, {
    offered: 0.6,
    seed: 1,
  });
  expect(processes).toBe(5);
  expect(refusedShare).toBe(0);
  expect(sessions).toBeGreaterThan(0.4 * places);
  expect(most - least).toBeLessThan(3);
});

it('loses no call of a killed process, and loads no sibling above its places', async () => {
  const { kill } = await simulateMachine(MACHINE, { offered: 0.6, seed: 2 });
  expect(kill.calls).toBeGreaterThan(5);
  expect(kill).toMatchObject({ lost: 0, overflow: 0 });
  expect(kill.tookMs).toBeLessThan(30_000);
});

it('refuses calls on a full machine, and then moves those of a killed process to the others, a quarter above their places', async () => {
  const { processes, places, sessions, refusedShare, kill } = await simulateMachine(MACHINE, { offered: 1.3, seed: 3 });
  expect(sessions).toBeGreaterThan(0.85 * places);
  expect(sessions).toBeLessThanOrEqual(places);
  expect(refusedShare).toBeGreaterThan(0.1);
  expect(kill.lost).toBe(0);
  expect(kill.overflow).toBeLessThanOrEqual(places / processes / 4);
  // They waited for its next life, 9 s, and of calls with a long past some were lost.
  expect(kill.tookMs).toBeLessThan(5_000);
});
