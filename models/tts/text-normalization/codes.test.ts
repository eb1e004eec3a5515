import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  [
    'en',
    'Your code is 123456, PIN: 4711, ext. 12',
    'Your code is one two three four five six, PIN: four seven one one, ext. one two',
  ],
  ['de', 'Ihr Code lautet 4711.', 'Ihr Code lautet vier sieben eins eins.'],
  ['en', 'code 5', 'code five'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
