import { expect, it } from 'vitest';
import { withoutStageDirections } from './stage-directions.ts';

const said = (text: string, language: string | null = 'en'): string =>
  withoutStageDirections(text, language).replaceAll(/\s+/g, ' ').trim();

it.each([
  ['*waves* Hello there!', 'Hello there!'],
  ['*waves* (laughs) - item', '- item'],
  ['That is great! *laughs softly* Shall we go on?', 'That is great! Shall we go on?'],
  ['(sighs deeply) I know.', 'I know.'],
  ['I know (chuckling).', 'I know .'],
  ['_takes a deep breath_ Well.', 'Well.'],
  ['*softly laughs*', ''],
  ['Well, *smiles* that is fine.', 'Well, that is fine.'],
])('%s → %s', (written, expected) => {
  expect(said(written)).toBe(expected);
});

it.each([
  'This is *really* good.',
  '*Really* good.',
  'Bring the form (signed) and the card.',
  'It is long (in meters).',
  'Is it good? *very* good.',
  'Use snake_case_names here.',
  'The sum is 2 * 3 * 4.',
])('stays: %s', (written) => {
  expect(said(written)).toBe(written);
});

it('knows actions of other languages', () => {
  expect(said('*winkt* Hallo!', 'de')).toBe('Hallo!');
  expect(said('(lacht leise) Ja.', 'de')).toBe('Ja.');
  expect(said('(sonríe) Hola.', 'es')).toBe('Hola.');
});

// The first star of two was read as the end of what came before.
it('strong words of other languages stay', () => {
  expect(said('Das ist **sehr** gut.', 'de')).toBe('Das ist **sehr** gut.');
  expect(said("C'est **très** bien.", 'fr')).toBe("C'est **très** bien.");
});
