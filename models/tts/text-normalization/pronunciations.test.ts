import { expect, it } from 'vitest';
import { speak } from '../testing/collect.ts';
import { createFakeSynthesizer } from '../../fakes/index.ts';
import { withTextNormalization } from './with-text-normalization.ts';
import { normalizeText } from './normalize-text.ts';

const NAMES = [
  { word: 'Zsófia', say: 'Zhoh-fee-ah' },
  { word: 'SQL', say: 'sequel' },
  { word: 'SQL Server', say: 'sequel server' },
  { word: 'C++', say: 'see plus plus' },
  { word: '24/7', say: 'all day' },
];
const said = (text: string, language = 'en'): string => normalizeText(text, language, NAMES).text;

it.each([
  ['whole words, in any case', 'ZSÓFIA, not Zsófiak, knows sql.', 'Zhoh-fee-ah, not Zsófiak, knows sequel.'],
  ['the longest one', 'SQL Server is not SQL.', 'sequel server is not sequel.'],
  ['words with signs', 'Write C++, not C.', 'Write see plus plus, not C.'],
  ['before numbers are put in words', 'Open 24/7 since 3.', 'Open all day since three.'],
])('replaces %s', (_what, written, spoken) => {
  expect(said(written)).toBe(spoken);
});

it('finds words in a language that has no spaces', () => {
  expect(normalizeText('私は明日香です', 'ja', [{ word: '明日香', say: 'あすか' }]).text).toBe('私はあすかです');
});

it('leaves a language without rules to the voice, but for these words', () => {
  expect(said('Zsófia 3', 'hu')).toBe('Zhoh-fee-ah 3');
});

it('keeps what is written in the times of the words', async () => {
  const voice = withTextNormalization(createFakeSynthesizer());
  const { words } = await speak(voice, { text: 'Ask Zsófia now.', tuning: { pronunciations: NAMES } });
  expect(words.map(({ text }) => text)).toEqual(['Ask', 'Zsófia', 'now.']);
});
