import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', 'a 16:9 screen, 2:1', 'a sixteen to nine screen, two to one'],
  ['de', 'Es steht 2:1.', 'Es steht zwei zu eins.'],
  ['en', 'at 5:30', 'at five thirty'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
