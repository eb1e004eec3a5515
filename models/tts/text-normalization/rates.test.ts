import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', '$29.99/month, $5/hr', 'twenty-nine dollars and ninety-nine cents per month, five dollars per hour'],
  ['en', '5 km/h and he/she', 'five kilometers per hour and he/she'],
  ['de', '5 €/Monat', 'fünf Euro pro Monat'],
  ['fr', '5 €/mois', 'cinq euros par mois'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
