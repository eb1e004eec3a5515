import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', 'Jan. 5th, Dec 25, 5 May 2024', 'January fifth, December twenty-fifth, May fifth, twenty twenty-four'],
  ['en', 'In Q3 2024', 'In Q3 twenty twenty-four'],
  ['de', 'am 24.12. um 14.30 Uhr', 'am vierundzwanzigsten Dezember um vierzehn Uhr dreißig'],
  ['de', 'Version 1.2.', 'Version 1.2.'],
  ['de', 'im 21. Jahrhundert, die 1. Bundesliga', 'im einundzwanzigsten Jahrhundert, die erste Bundesliga'],
  ['de', '1. Öffnen Sie das. 2. Schließen Sie es.', '1. Öffnen Sie das. 2. Schließen Sie es.'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
