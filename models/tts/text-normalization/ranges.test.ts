import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', 'Mon–Fri 9am–5pm, 10:00-14:00', "Mon to Fri nine a.m. to five p.m., ten o'clock to two p.m."],
  [
    'en',
    '1999–2003, 5%–10%, $5–$10, 5-6pm',
    'nineteen ninety-nine to two thousand three, five percent to ten percent, five dollars to ten dollars, five to six p.m.',
  ],
  ['de', 'Mo.–Fr. von 9–17 Uhr', 'Mo. bis Fr. von neun bis siebzehn Uhr'],
  // Said as a range, "five hundred fifty-five to …", by every voice on this machine.
  ['en', 'Our line is 555-0134.', 'Our line is five five five, zero one three four.'],
  ['en', 'Please call me at 555-1234.', 'Please call me at five five five, one two three four.'],
  [
    'en',
    'It holds 555-1234 people.',
    'It holds five hundred fifty-five to one thousand two hundred thirty-four people.',
  ],
  ['en', 'Call 555-123-4567.', 'Call five five five, one two three, four five six seven.'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text.replaceAll(/ +/g, ' ')).toBe(said);
});
