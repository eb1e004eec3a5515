import { expect, it } from 'vitest';
import { groupEvents } from './event-groups.ts';

const events = (kinds: string) =>
  [...kinds].map((letter, at) => ({
    at,
    label: letter,
    kind: letter === 'u' ? ('user' as const) : ('persona' as const),
  }));
const lengths = (kinds: string) =>
  groupEvents(events(kinds)).map(({ kind, events: { length } }) => `${length} ${kind}`);

it('groups four or more events of a kind in a row, and keeps their order', () => {
  expect(lengths('uppppuuu')).toEqual(['1 user', '4 persona', '1 user', '1 user', '1 user']);
  expect(groupEvents(events('pppp'))[0]?.events.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  expect(groupEvents([])).toEqual([]);
});
