import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', 'It takes 1h 30m, or 3m 20s.', 'It takes one hour thirty minutes, or three minutes twenty seconds.'],
  ['de', 'Das dauert 2 h 15 min.', 'Das dauert zwei Stunden fünfzehn Minuten.'],
  ['fr', 'Il faut 1 h 20 min.', 'Il faut une heure vingt minutes.'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text).toBe(said);
});
