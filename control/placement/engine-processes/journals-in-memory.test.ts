import { expect, it } from 'vitest';
import { JournalsInMemory } from './journals-in-memory.ts';

it('gives what a process wrote to whoever goes on with its sessions, and keeps it there', () => {
  const kept = new JournalsInMemory();
  kept.add(1, { sessionId: 'a', entries: ['head'], state: 'first' }, 0);
  kept.add(1, { sessionId: 'a', entries: ['next'], state: null }, 5);
  kept.add(2, { sessionId: 'b', entries: ['other'], state: null }, 5);
  const [past, ...others] = kept.takeOf(1, 25);
  expect(others).toEqual([]);
  expect(past).toEqual({ sessionId: 'a', entries: ['head', 'next'], state: 'first', ageMs: 20 });
  kept.handTo(2, past!, 30);
  kept.add(2, { sessionId: 'a', entries: ['last'], state: 'second' }, 40);
  expect(kept.takeOf(2, 40)).toContainEqual({
    sessionId: 'a',
    entries: ['head', 'next', 'last'],
    state: 'second',
    ageMs: 0,
  });
  expect(kept.characters).toBe(0);
});

it('keeps nothing of a session that is over', () => {
  const kept = new JournalsInMemory();
  kept.add(1, { sessionId: 'a', entries: ['words'], state: null }, 0);
  kept.close(2, 'a');
  expect(kept.characters).toBe(5);
  kept.close(1, 'a');
  expect(kept.characters).toBe(0);
});

it('gives up a session that is too long, and the longest when all are too long together', () => {
  const kept = new JournalsInMemory({ ofSession: 10, ofAll: 15 });
  expect(kept.add(1, { sessionId: 'a', entries: ['x'.repeat(11)], state: null }, 0)).toEqual(['a']);
  expect(kept.add(1, { sessionId: 'a', entries: ['x'], state: null }, 0)).toEqual([]);
  kept.add(1, { sessionId: 'b', entries: ['x'.repeat(9)], state: null }, 0);
  expect(kept.add(1, { sessionId: 'c', entries: ['x'.repeat(8)], state: null }, 0)).toEqual(['b']);
  expect(kept.takeOf(1, 0).map(({ sessionId }) => sessionId)).toEqual(['c']);
});

/**
 * The entries of a session of some hours were given to `push` as so many arguments, which overflowed the stack: both
 * processes that were to go on with it counted as unable, and the session was lost.
 */
it('hands a session on that has more entries than a function can have arguments', () => {
  const kept = new JournalsInMemory();
  const entries = Array.from({ length: 300_000 }, (_, n) => `entry ${n}`);
  kept.handTo(1, { sessionId: 'a', entries, state: 'last', ageMs: 0 }, 0);
  const [past] = kept.takeOf(1, 10);
  expect(past!.entries.length).toBe(entries.length);
  expect(past!.entries.at(-1)).toBe('entry 299999');
});
