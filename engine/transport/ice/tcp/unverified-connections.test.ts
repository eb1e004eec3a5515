import { expect, it } from 'vitest';
import { MAX_UNVERIFIED, MAX_UNVERIFIED_PER_NETWORK, UnverifiedConnections } from './unverified-connections.ts';

it('lets the one go that has waited longest when an address has too many', () => {
  const unverified = new UnverifiedConnections<number>();
  unverified.add(-1, 'another');
  for (let number = 0; number < MAX_UNVERIFIED_PER_NETWORK; number++) expect(unverified.add(number, 'one')).toBeNull();
  expect(unverified.add(1_000, 'one')).toBe(0);
});

it('lets the one go that has waited longest when there are too many in all', () => {
  const unverified = new UnverifiedConnections<number>();
  for (let number = 0; number < MAX_UNVERIFIED; number++) expect(unverified.add(number, `from ${number}`)).toBeNull();
  expect(unverified.add(MAX_UNVERIFIED, 'one more')).toBe(0);
});

it('forgets those that have proved themselves', () => {
  const unverified = new UnverifiedConnections<number>();
  for (let round = 0; round < 3 * MAX_UNVERIFIED; round++) {
    expect(unverified.add(round, 'one')).toBeNull();
    unverified.remove(round);
    unverified.remove(round);
  }
  expect(unverified.count).toBe(0);
});
