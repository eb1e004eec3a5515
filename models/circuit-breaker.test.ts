import { expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

function setUp() {
  const clock = { now: 0 };
  return { clock, circuits: new CircuitBreaker(() => clock.now) };
}

it('the circuit of a provider that fails opens, for longer each time', () => {
  const { clock, circuits } = setUp();
  expect(circuits.mayBeAsked('a')).toBe(true);
  const open = [1, 2, 3, 4, 5, 6, 7].map(() => {
    circuits.asked('a');
    circuits.failed('a');
    const from = clock.now;
    while (!circuits.mayBeAsked('a')) clock.now += 1_000;
    return clock.now - from;
  });
  expect(open).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  expect(circuits.mayBeAsked('b')).toBe(true);
});

// A trial's own failure did not count: the clock had gone on by microseconds between the end of the open time and the question when the
// trial began. A provider that had died was tried every 5 s for as long as it was dead.
it('the failure of a trial counts on a clock that never stands still', () => {
  let now = 0;
  const circuits = new CircuitBreaker(() => (now += 0.001));
  circuits.failed('a', circuits.asked('a'));
  now = 5_001;
  circuits.failed('a', circuits.asked('a'));
  now += 9_000;
  expect(circuits.mayBeAsked('a')).toBe(false);
  now += 1_000;
  expect(circuits.mayBeAsked('a')).toBe(true);
});

// Each trial of a provider that hangs took longer than the open time, and the next trial had begun when its failure was told.
it('the failures of trials that take longer than the open time count', () => {
  const { clock, circuits } = setUp();
  circuits.failed('a');
  clock.now = 5_000;
  const first = circuits.asked('a');
  clock.now = 10_000;
  const second = circuits.asked('a');
  clock.now = 13_000;
  circuits.failed('a', first);
  clock.now = 18_000;
  circuits.failed('a', second);
  clock.now = 22_999;
  expect(circuits.mayBeAsked('a')).toBe(false);
  clock.now = 23_000;
  expect(circuits.mayBeAsked('a')).toBe(true);
});

it('a half-open circuit lets one trial through, and one that succeeds closes it', () => {
  const { clock, circuits } = setUp();
  circuits.failed('a');
  clock.now = 5_000;
  circuits.asked('a');
  expect(circuits.mayBeAsked('a')).toBe(false);
  circuits.succeeded('a');
  expect(circuits.mayBeAsked('a')).toBe(true);
  circuits.failed('a');
  clock.now += 5_000;
  expect(circuits.mayBeAsked('a')).toBe(true);
});

it('a trial of which nothing is heard is followed by another', () => {
  const { clock, circuits } = setUp();
  circuits.failed('a');
  clock.now = 5_000;
  circuits.asked('a');
  clock.now = 10_000;
  expect(circuits.mayBeAsked('a')).toBe(true);
});

it('several that ask at once and fail are one failure', () => {
  const { clock, circuits } = setUp();
  clock.now = 1_000;
  circuits.failed('a', 0);
  circuits.failed('a', 500);
  clock.now = 6_000;
  expect(circuits.mayBeAsked('a')).toBe(true);
});

it('a provider that says when to come back is left alone for at least so long, and no longer than the longest time', () => {
  const { clock, circuits } = setUp();
  circuits.failed('limited', 0, 30_000);
  circuits.failed('closed for the day', 0, 86_400_000);
  clock.now = 29_999;
  expect(circuits.mayBeAsked('limited')).toBe(false);
  clock.now = 30_000;
  expect(circuits.mayBeAsked('limited')).toBe(true);
  clock.now = 120_000;
  expect(circuits.mayBeAsked('closed for the day')).toBe(true);
});

it('no number of names fills the memory: the oldest is forgotten', () => {
  const { circuits } = setUp();
  for (let name = 0; name <= 1_000; name += 1) circuits.failed(`endpoint ${name}`);
  expect(circuits.mayBeAsked('endpoint 0')).toBe(true);
  expect(circuits.mayBeAsked('endpoint 1')).toBe(false);
  expect(circuits.mayBeAsked('endpoint 1000')).toBe(false);
});
