import { cpus } from 'node:os';
import { beforeEach, expect, it, vi } from 'vitest';
import { BusyCores } from './busy-cores.ts';

vi.mock('node:os', () => ({ cpus: vi.fn<typeof cpus>() }));

let busy: BusyCores;
beforeEach(() => (busy = new BusyCores()));

/** One core. */
function secondsOf(user: number, idle: number): void {
  vi.mocked(cpus).mockReturnValue([{ model: '', speed: 0, times: { user, nice: 0, sys: 0, irq: 0, idle } }]);
  busy.sample();
}

it('tells how much of the cores was in use in the last two seconds', () => {
  expect(busy.share()).toBe(1);
  secondsOf(0, 0);
  secondsOf(0, 1);
  expect(busy.share()).toBe(1);
  secondsOf(1, 1);
  expect(busy.share()).toBeCloseTo(1 / 2);
  secondsOf(1, 2);
  secondsOf(1, 3);
  expect(busy.share()).toBe(0);
});
