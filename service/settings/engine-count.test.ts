import { expect, it } from 'vitest';
import { engineCount, type EngineCountSettings } from './engine-count.ts';

const GIGABYTE = 1024 ** 3;
const count = (settings: Partial<EngineCountSettings>, cores: number, gigabytes = 256): number =>
  engineCount(
    { PARLEY_ENGINES: 'auto', PARLEY_ROLE: 'all', PARLEY_NODE_URL: undefined, ...settings },
    { cores, memoryBytes: gigabytes * GIGABYTE },
  );

it('counts one process below four cores, then one for what a main thread serves', () => {
  expect([1, 2, 3, 4, 8, 16, 64].map((cores) => count({}, cores))).toEqual([1, 1, 1, 2, 3, 5, 20]);
});

it('takes no more processes than the memory holds, and as many as the operator says', () => {
  expect(count({}, 16, 4)).toBe(2);
  expect(count({}, 16, 1)).toBe(1);
  expect(count({ PARLEY_ENGINES: 3 }, 2)).toBe(3);
});

it('has one process where ports cannot be shared, unless the operator says otherwise', () => {
  const size = { cores: 16, memoryBytes: 64 * GIGABYTE, platform: 'darwin' } as const;
  const rest = { PARLEY_ROLE: 'all', PARLEY_NODE_URL: undefined } as const;
  expect(engineCount({ PARLEY_ENGINES: 'auto', ...rest }, size)).toBe(1);
  expect(engineCount({ PARLEY_ENGINES: 2, ...rest }, size)).toBe(2);
});

it('has one process where processes are several in Redis', () => {
  expect(count({ PARLEY_NODE_URL: 'http://10.0.0.1:80' }, 16)).toBe(1);
  expect(count({ PARLEY_ROLE: 'control' }, 16)).toBe(1);
});
