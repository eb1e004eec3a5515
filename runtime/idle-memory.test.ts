import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { releaseMemoryWhenIdle } from './idle-memory.ts';
import { PROCESS_MEMORY } from './allocator.ts';

function started() {
  const clock = new SimulatedClock();
  const seen = { idle: true, given: [] as string[] };
  const memory = { collect: () => void seen.given.push('collect'), trim: () => void seen.given.push('trim') };
  const end = releaseMemoryWhenIdle(() => seen.idle, clock, memory);
  const pass = (minutes: number): void => {
    for (let second = 0; second < minutes * 60; second += 1) clock.increment(1_000);
  };
  return { pass, seen, end };
}

it('collects once and then trims, when all is loaded and nobody talks', () => {
  const { pass, seen } = started();
  pass(0.1);
  expect(seen.given).toEqual([]);
  pass(2);
  expect(seen.given).toEqual(['collect', 'trim']);
});

it('does not stop the thread of a conversation, nor of a service that has ended', () => {
  const busy = started();
  busy.seen.idle = false;
  busy.pass(10);
  expect(busy.seen.given).toEqual([]);
  const ended = started();
  ended.end();
  ended.pass(10);
  expect(ended.seen.given).toEqual([]);
});

// It collected after the start only: what the first hour of conversations had left stayed for good.
it('releases again what later conversations leave', () => {
  const { pass, seen } = started();
  pass(2);
  seen.idle = false;
  pass(2);
  seen.idle = true;
  pass(2);
  expect(seen.given).toEqual(['collect', 'trim', 'collect', 'trim']);
});

// Seven faces that had been drawn while nobody talked stayed in the memory of an idle service: 119 MB.
it('does so again every five minutes', () => {
  const { pass, seen } = started();
  pass(11);
  expect(seen.given).toEqual(['collect', 'trim', 'collect', 'trim', 'collect', 'trim']);
});

it('works with the allocator of this system', () => {
  expect(() => {
    PROCESS_MEMORY.collect();
    PROCESS_MEMORY.trim();
    PROCESS_MEMORY.trim();
  }).not.toThrow();
});
