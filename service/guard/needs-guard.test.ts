import { expect, it } from 'vitest';
import { needsGuard } from './needs-guard.ts';

const node = { REDIS_URL: 'redis://redis:6379', PARLEY_NODE_URL: 'http://node:8080' };

it('have the nodes of a cluster that have sessions, and nobody else', () => {
  expect([node, { ...node, PARLEY_ROLE: 'engine' }].map(needsGuard)).toEqual([true, true]);
  const others = [{}, { ...node, PARLEY_ROLE: 'control' }, { ...node, REDIS_URL: '' }, { REDIS_URL: node.REDIS_URL }];
  expect(others.map(needsGuard)).toEqual([false, false, false, false]);
});
