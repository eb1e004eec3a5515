import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', '20 m², 500 mg and 1 kWh', 'twenty square meters, five hundred milligrams and one kilowatt hour'],
  ['de', '50 m² und 1 kWh', 'fünfzig Quadratmeter und eine Kilowattstunde'],
  ['fr', '50 m²', 'cinquante mètres carrés'],
  ['en', 'He is 6\'2" tall.', 'He is 6 foot 2 tall.'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
