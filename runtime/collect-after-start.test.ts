import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { collectAfterStart } from './collect-after-start.ts';

function started(idle: boolean) {
  const clock = new SimulatedClock();
  const seen = { collections: 0 };
  const end = collectAfterStart(
    () => idle,
    clock,
    () => (seen.collections += 1),
  );
  return { clock, seen, end };
}

it('collects once, when all is loaded and nobody talks', () => {
  const { clock, seen } = started(true);
  clock.increment(5_000);
  expect(seen.collections).toBe(0);
  clock.increment(60_000);
  expect(seen.collections).toBe(1);
});

it('does not stop the thread of a conversation, nor of a service that has ended', () => {
  const busy = started(false);
  busy.clock.increment(60_000);
  expect(busy.seen.collections).toBe(0);
  const ended = started(true);
  ended.end();
  ended.clock.increment(60_000);
  expect(ended.seen.collections).toBe(0);
});
