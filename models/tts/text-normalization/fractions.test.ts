import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  [
    'en',
    '1/2 cup, 3/4 tsp, 2 1/4 cups, 4/5 or 1/3',
    'one half cup, three quarters tsp, two and one quarter cups, four fifths or one third',
  ],
  ['en', '24/7, 120/80 and 9/11', 'twenty-four seven, one hundred twenty over eighty and nine eleven'],
  ['de', '3/4 Stunde, 2/3, 1/8', 'drei Viertel Stunde, zwei Drittel, ein Achtel'],
  ['fr', '1/3 ou 2/5', 'un tiers ou deux cinquièmes'],
  ['es', '2/3', 'dos tercios'],
  ['en', 'km/h, and/or', 'km/h, and/or'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
