import { expect, it } from 'vitest';
import { MAX_STRANGERS, MAX_STRANGERS_PER_NETWORK, Strangers } from './strangers.ts';

it('lets the one go that has waited longest when an address has too many', () => {
  const strangers = new Strangers<number>();
  strangers.add(-1, 'another');
  for (let number = 0; number < MAX_STRANGERS_PER_NETWORK; number++) expect(strangers.add(number, 'one')).toBeNull();
  expect(strangers.add(1_000, 'one')).toBe(0);
});

it('lets the one go that has waited longest when there are too many in all', () => {
  const strangers = new Strangers<number>();
  for (let number = 0; number < MAX_STRANGERS; number++) expect(strangers.add(number, `from ${number}`)).toBeNull();
  expect(strangers.add(MAX_STRANGERS, 'one more')).toBe(0);
});

it('forgets those that have proved themselves', () => {
  const strangers = new Strangers<number>();
  for (let round = 0; round < 3 * MAX_STRANGERS; round++) {
    expect(strangers.add(round, 'one')).toBeNull();
    strangers.remove(round);
    strangers.remove(round);
  }
  expect(strangers.count).toBe(0);
});
