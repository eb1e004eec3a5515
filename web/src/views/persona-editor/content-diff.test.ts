import { expect, it } from 'vitest';
import { contentDiff } from './content-diff.ts';

const names = (_: string, id: string) => ({ t1: 'show_map', v1: 'Anna', v2: 'Bert' })[id] ?? 'something deleted';

it('shows what changes word by word, and nothing that stays', () => {
  const before = { name: 'Ada', systemPrompt: 'You are a calm host.', skipGreeting: false };
  expect(contentDiff(before, { ...before, systemPrompt: 'You are a very calm guide.' }, names)).toEqual([
    {
      field: 'systemPrompt',
      label: 'Who it is, and what it does',
      parts: [
        { text: 'You are a ', kind: 'same' },
        { text: 'very ', kind: 'added' },
        { text: 'calm ', kind: 'same' },
        { text: 'host', kind: 'removed' },
        { text: 'guide', kind: 'added' },
        { text: '.', kind: 'same' },
      ],
    },
  ]);
});

it('names what ids stand for', () => {
  const diff = contentDiff({ voiceId: 'v1', toolIds: [] }, { voiceId: 'v2', toolIds: ['t1'] }, names);
  expect(diff.map(({ label, parts }) => [label, ...parts.map(({ kind, text }) => `${kind} ${text}`)])).toEqual([
    ['Voice', 'removed Anna', 'added Bert'],
    ['Tools and knowledge', 'added show_map'],
  ]);
});

it('leaves out what is far from a change', () => {
  const long = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
  const [field] = contentDiff({ systemPrompt: `${long} end` }, { systemPrompt: `${long} stop` }, names);
  expect(field!.parts.map(({ kind }) => kind)).toEqual(['left-out', 'same', 'removed', 'added']);
  expect(field!.parts[1]!.text).toMatch(/^word88 .* word99 $/);
});

it('compares options key by key, in any order', () => {
  const one = { voiceDetectionOptions: { a: 1, b: 2 } };
  expect(contentDiff(one, { voiceDetectionOptions: { b: 2, a: 1 } }, names)).toEqual([]);
  // What an older Parley did not know is no change.
  expect(contentDiff({}, one, names)).toEqual([]);
});
