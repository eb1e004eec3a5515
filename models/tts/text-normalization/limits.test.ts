import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  [
    'en',
    '<5 minutes, >100 users, ≥18, 5+ years',
    'less than five minutes, more than one hundred users, at least eighteen, five plus years',
  ],
  ['de', '<5 Minuten', 'unter fünf Minuten'],
  ['en', 'I <3 you', 'I <three you'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
