import { expect, it } from 'vitest';
import { engineCount, partOf, type EngineCountSettings } from './engine-count.ts';

const GIGABYTE = 1024 ** 3;
const count = (settings: Partial<EngineCountSettings>, cores: number, gigabytes = 256): number =>
  engineCount(
    { PARLEY_ENGINES: 'auto', PARLEY_ROLE: 'all', PARLEY_NODE_URL: undefined, ...settings },
    { cores, memoryBytes: gigabytes * GIGABYTE },
  );

it('counts one process below four cores, then one for what a main thread serves', () => {
  expect([1, 2, 3, 4, 8, 16, 64].map((cores) => count({}, cores))).toEqual([1, 1, 1, 2, 2, 4, 15]);
});

it('takes no more processes than the memory holds, and as many as the operator says', () => {
  expect(count({}, 16, 4)).toBe(2);
  expect(count({}, 16, 1)).toBe(1);
  expect(count({ PARLEY_ENGINES: 3 }, 2)).toBe(3);
});

it('has one process where processes are several in Redis', () => {
  expect(count({ PARLEY_NODE_URL: 'http://10.0.0.1:80' }, 16)).toBe(1);
  expect(count({ PARLEY_ROLE: 'control' }, 16)).toBe(1);
});

it('shares a number so that all of it is there', () => {
  expect([1, 2, 3].map((number) => partOf(20, number, 3))).toEqual([7, 7, 6]);
  expect([1, 2].map((number) => partOf(1, number, 2))).toEqual([1, 0]);
});
