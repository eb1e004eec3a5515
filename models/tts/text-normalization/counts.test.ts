import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['100m people, 2.5m monthly users', 'one hundred million people, two point five million monthly users'],
  ['10k users and 1B views', 'ten thousand users and one billion views'],
  ['$100m, €5bn and £3k', 'one hundred million dollars, five billion euros and three thousand pounds'],
  ['a 100m sprint, 50m away', 'a one hundred meters sprint, fifty meters away'],
])('%s', (written, said) => {
  expect(normalizeText(written, 'en').text).toBe(said);
});
