import { expect, it } from 'vitest';
import { UfragOwners } from './ufrag-owners.ts';

it('tell whose a check is', () => {
  const names = new UfragOwners<string>();
  names.add('first', 'ada');
  expect([names.ownerOf('ada'), names.ownerOf('bob')]).toEqual(['first', null]);
});

it('of a process that died are forgotten, and not those of the others', () => {
  const names = new UfragOwners<string>();
  names.add('first', 'ada');
  names.add('second', 'bob');
  names.removeAllOf('first');
  expect([names.ownerOf('ada'), names.ownerOf('bob')]).toEqual([null, 'second']);
  expect(names.size).toBe(1);
});

it('are forgotten when their owner takes them back, and only then', () => {
  const names = new UfragOwners<string>();
  names.add('first', 'ada');
  names.remove('second', 'ada');
  expect(names.ownerOf('ada')).toBe('first');
  names.remove('first', 'ada');
  expect(names.ownerOf('ada')).toBeNull();
});
