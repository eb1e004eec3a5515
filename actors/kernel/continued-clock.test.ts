import { expect, it } from 'vitest';
import { ContinuedClock } from './continued-clock.ts';
import { SteppingClock } from './stepping-clock.ts';

/** A machine that has been running for 1,000 ms. */
function machine(): SteppingClock {
  const time = new SteppingClock();
  time.advance(1_000);
  return time;
}

it('follows the past, and fires on the way what becomes due there', () => {
  const clock = new ContinuedClock(machine());
  const fired: number[] = [];
  clock.setTimeout(() => fired.push(clock.now()), 30);
  clock.setTimeout(() => clock.setTimeout(() => fired.push(clock.now()), 5), 40);
  clock.advanceTo(50);
  expect(fired).toEqual([30, 45]);
  expect(clock.now()).toBe(50);
});

it('goes on with the time of the machine, and every timer keeps its deadline', () => {
  const time = machine();
  const clock = new ContinuedClock(time);
  const fired: string[] = [];
  clock.setTimeout(() => fired.push('long due'), 60);
  clock.setTimeout(() => fired.push('later'), 500);
  const cleared = clock.setTimeout(() => fired.push('cleared'), 500);
  clock.advanceTo(50);
  // The session's time is 400 now.
  clock.resume(600);
  expect(clock.now()).toBe(400);
  clock.clearTimeout(cleared);
  time.advance(0);
  expect(fired).toEqual(['long due']);
  time.advance(99);
  expect(fired).toEqual(['long due']);
  time.advance(1);
  expect(fired).toEqual(['long due', 'later']);
  clock.setTimeout(() => fired.push('new'), 10);
  time.advance(10);
  expect(fired.at(-1)).toBe('new');
});
