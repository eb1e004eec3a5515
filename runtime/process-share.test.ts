import { expect, it } from 'vitest';
import {
  environmentOf,
  processCores,
  shareOfProcess,
  currentShare,
  shareOf,
  type ProcessShare,
} from './process-share.ts';

const all = (processes: number): ProcessShare[] =>
  Array.from({ length: processes }, (_, index) => ({ number: index + 1, processes }));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

// Each process sized its pools for the whole machine: five had 75 video threads and 40 voices on 16 cores, and fifteen
// processes carried fewer calls than five.
it.each([
  [16, 5],
  [16, 8],
  [16, 15],
  [64, 20],
  [7, 2],
])('of %i threads on a machine, its %i processes have so many together', (threads, processes) => {
  const parts = all(processes).map((share) => shareOfProcess(threads, share));
  expect(sum(parts)).toBe(threads);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
});

it('shares a number so that all of it is there', () => {
  expect(all(3).map((share) => shareOf(20, share))).toEqual([7, 7, 6]);
  expect(all(2).map((share) => shareOf(1, share))).toEqual([1, 0]);
});

it('leaves each process one thread, even if there are more processes than cores', () => {
  expect(all(5).map((share) => processCores(share, 2))).toEqual([1, 1, 1, 1, 1]);
});

it('tells a process its share, and how many threads files and names may have', () => {
  const share = { number: 3, processes: 5 };
  const environment = environmentOf(share, 16);
  expect(currentShare(environment)).toEqual(share);
  expect(environment['UV_THREADPOOL_SIZE']).toBe('3');
  expect(environmentOf({ number: 9, processes: 15 }, 16)['UV_THREADPOOL_SIZE']).toBe('2');
  expect(environmentOf({ number: 1, processes: 2 }, 64)['UV_THREADPOOL_SIZE']).toBe('4');
});

it.each([[undefined], [''], ['all'], ['0/0'], ['3/2']])('has the whole machine when it is told %j', (told) => {
  expect(currentShare({ MACHINE_SHARE: told })).toEqual({ number: 1, processes: 1 });
});
