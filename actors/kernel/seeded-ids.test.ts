import { expect, test } from 'vitest';
import { seededIds } from './seeded-ids.ts';

test('the same seed gives the same ids', () => {
  const [one, two] = [seededIds('seed'), seededIds('seed')];
  for (let at = 0; at < 10; at += 1) expect(one.uuid()).toBe(two.uuid());
  expect(seededIds('another').uuid()).not.toBe(seededIds('seed').uuid());
});

test('ids are lower-case UUIDs of version 4 and never repeat', () => {
  const ids = seededIds('seed');
  const made = Array.from({ length: 2000 }, () => ids.uuid());
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(made.length);
});
