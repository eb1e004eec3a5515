import { expect, it } from 'vitest';
import { ProviderHealth } from './provider-health.ts';

function setUp() {
  const clock = { now: 0 };
  return { clock, health: new ProviderHealth(() => clock.now) };
}

it('a provider that fails rests, longer each time', () => {
  const { clock, health } = setUp();
  expect(health.mayBeAsked('a')).toBe(true);
  const rests = [1, 2, 3, 4, 5, 6, 7].map(() => {
    health.asked('a');
    health.failed('a');
    const from = clock.now;
    while (!health.mayBeAsked('a')) clock.now += 1_000;
    return clock.now - from;
  });
  expect(rests).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  expect(health.mayBeAsked('b')).toBe(true);
});

// A trial's own failure did not count: the clock had gone on by microseconds between the rest and the question when the
// trial began. A provider that had died was tried every 5 s for as long as it was dead.
it('the failure of a trial counts on a clock that never stands still', () => {
  let now = 0;
  const health = new ProviderHealth(() => (now += 0.001));
  health.failed('a', health.asked('a'));
  now = 5_001;
  health.failed('a', health.asked('a'));
  now += 9_000;
  expect(health.mayBeAsked('a')).toBe(false);
  now += 1_000;
  expect(health.mayBeAsked('a')).toBe(true);
});

// Each trial of a provider that hangs took longer than the rest, and the next trial had begun when its failure was told.
it('the failures of trials that take longer than the rest count', () => {
  const { clock, health } = setUp();
  health.failed('a');
  clock.now = 5_000;
  const first = health.asked('a');
  clock.now = 10_000;
  const second = health.asked('a');
  clock.now = 13_000;
  health.failed('a', first);
  clock.now = 18_000;
  health.failed('a', second);
  clock.now = 22_999;
  expect(health.mayBeAsked('a')).toBe(false);
  clock.now = 23_000;
  expect(health.mayBeAsked('a')).toBe(true);
});

it('after a rest one trial is made, and one that succeeds ends it', () => {
  const { clock, health } = setUp();
  health.failed('a');
  clock.now = 5_000;
  health.asked('a');
  expect(health.mayBeAsked('a')).toBe(false);
  health.succeeded('a');
  expect(health.mayBeAsked('a')).toBe(true);
  health.failed('a');
  clock.now += 5_000;
  expect(health.mayBeAsked('a')).toBe(true);
});

it('a trial of which nothing is heard is followed by another', () => {
  const { clock, health } = setUp();
  health.failed('a');
  clock.now = 5_000;
  health.asked('a');
  clock.now = 10_000;
  expect(health.mayBeAsked('a')).toBe(true);
});

it('several that ask at once and fail are one failure', () => {
  const { clock, health } = setUp();
  clock.now = 1_000;
  health.failed('a', 0);
  health.failed('a', 500);
  clock.now = 6_000;
  expect(health.mayBeAsked('a')).toBe(true);
});

it('one that says how long it wants to be left alone rests at least so long, and no longer than the longest rest', () => {
  const { clock, health } = setUp();
  health.failed('limited', 0, 30_000);
  health.failed('closed for the day', 0, 86_400_000);
  clock.now = 29_999;
  expect(health.mayBeAsked('limited')).toBe(false);
  clock.now = 30_000;
  expect(health.mayBeAsked('limited')).toBe(true);
  clock.now = 120_000;
  expect(health.mayBeAsked('closed for the day')).toBe(true);
});

it('no number of names fills the memory: the oldest is forgotten', () => {
  const { health } = setUp();
  for (let name = 0; name <= 1_000; name += 1) health.failed(`endpoint ${name}`);
  expect(health.mayBeAsked('endpoint 0')).toBe(true);
  expect(health.mayBeAsked('endpoint 1')).toBe(false);
  expect(health.mayBeAsked('endpoint 1000')).toBe(false);
});
