import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LlmMessage } from '../ports.ts';
import { changedItems, letters, planChanges, wantedItems, type Item, type WantedItem } from './conversation-items.ts';

const word = fc.constantFrom('yes', 'no', 'one two', 'When?', 'I see.', 'well');
const item: fc.Arbitrary<Omit<Item, 'id'>> = fc.record({
  kind: fc.constantFrom('user', 'assistant', 'system', 'call', 'result'),
  text: word,
  callId: fc.constantFrom('a', 'b'),
});
const wanted: fc.Arbitrary<WantedItem> = item.map(({ kind, text, callId }) => ({
  kind,
  text: text!,
  callId,
  name: 'f',
}));

/** Runs of the user's items are one message, and an item of the persona may say more than was heard. */
const shape = (items: readonly Pick<Item, 'kind' | 'text' | 'callId'>[]): string[] => {
  const others = items.filter(({ kind }) => kind !== 'user' && kind !== 'assistant');
  const words = items.filter(({ kind }) => kind === 'user').map(({ text }) => letters(text!));
  return [...others.map(({ kind, text, callId }) => `${kind} ${kind === 'call' ? callId : text}`), words.join('')];
};

it('makes the model remember what the session does, whatever it had heard', () => {
  fc.assert(
    fc.property(fc.array(item), fc.array(wanted), (had, wants) => {
      const items = had.map((one, at) => ({ ...one, id: `i${at}` }));
      let count = 0;
      const after = changedItems(
        items,
        planChanges(items, wants, () => `n${(count += 1)}`),
      );
      expect(shape(after)).toEqual(shape(wants));
      // Once it is so, nothing more has to be changed.
      expect(planChanges(after, wants, () => 'again')).toEqual([]);
      expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    }),
  );
});

it('takes what the user said with pauses for one message', () => {
  const items: Item[] = [
    { id: 'a', kind: 'user', text: 'I would like', callId: '' },
    { id: 'b', kind: 'user', text: 'a table for two.', callId: '' },
  ];
  const messages: LlmMessage[] = [{ role: 'user', content: 'I would like a table, for two' }];
  expect(planChanges(items, wantedItems(messages), () => 'new')).toEqual([]);
});

it('replaces the result of a call that was told late', () => {
  const call = { id: 'c1', name: 'f', arguments: '{}' };
  const before: LlmMessage[] = [
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'c1', content: 'No result yet: the call is still running.' },
  ];
  let count = 0;
  const items = changedItems(
    [],
    planChanges([], wantedItems(before), () => `n${(count += 1)}`),
  );
  const after: LlmMessage[] = [before[0]!, { role: 'tool', toolCallId: 'c1', content: 'nine' }];
  expect(planChanges(items, wantedItems(after), () => 'new')).toMatchObject([
    { do: 'create', after: 'n1', item: { kind: 'result', text: 'nine' } },
    { do: 'delete', id: 'n2' },
  ]);
});
