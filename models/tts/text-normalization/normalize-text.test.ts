import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

describe('what is written with digits and signs is said in words', () => {
  it.each([
    [
      'en',
      'It costs $12.50, or €5, or $0.99.',
      'It costs twelve dollars and fifty cents, or five euros, or ninety-nine cents.',
    ],
    ['en', 'A deal of $3.5M and £2 million.', 'A deal of three point five million dollars and two million pounds.'],
    ['en', 'Call 555-123-4567.', 'Call five five five, one two three, four five six seven.'],
    ['en', 'On 2026-03-04 at 15:30.', 'On March fourth, twenty twenty-six at three thirty p.m.'],
    [
      'en',
      'At 3:05 PM on May 21st, until 1984.',
      'At three oh five p.m. on May twenty-first, until nineteen eighty-four.',
    ],
    ['en', 'Write to jane.doe@example.com.', 'Write to jane dot doe at example dot com.'],
    ['en', 'See docs.example.com/faq.', 'See docs dot example dot com slash faq.'],
    ['en', '20–25 km/h at -3 °C', 'twenty to twenty-five kilometers per hour at minus three degrees Celsius'],
    [
      'en',
      '1,234,567 or 3.14',
      'one million two hundred thirty-four thousand five hundred sixty-seven or three point one four',
    ],
    [
      'en',
      'Order 12345678, room 007, version 2.0.1.',
      'Order one two three four five six seven eight, room zero zero seven, version two dot zero dot one.',
    ],
    ['en', '2 + 2 = 4 in R&D, 1½ cups', 'two plus two equals four in R and D, one and one half cups'],
    ['en', 'USD 500, A$30, +3.2%', 'five hundred dollars, thirty Australian dollars, plus three point two percent'],
    ['de', 'Das kostet 12,50 € oder 1 EUR.', 'Das kostet zwölf Euro fünfzig oder ein Euro.'],
    ['de', 'Am 4.3.2026 um 15:30 Uhr.', 'Am vierten März zweitausendsechsundzwanzig um fünfzehn Uhr dreißig.'],
    [
      'de',
      'Der 24. Dezember, 1 h, 1.500 g',
      'Der vierundzwanzigste Dezember, eine Stunde, eintausendfünfhundert Gramm',
    ],
    ['es', 'Cuesta 12,50 €, a 21 km.', 'Cuesta doce euros con cincuenta, a veintiún kilómetros.'],
    ['es', 'El 4 de marzo a las 15:30.', 'El cuatro de marzo a las quince y treinta.'],
    [
      'fr',
      'Le 1er mai 2026 à 15h30, 20 %.',
      'Le premier mai deux mille vingt-six à quinze heures trente, vingt pour cent.',
    ],
    ['it', 'Costa 12,50 € alle 9:15.', 'Costa dodici euro e cinquanta alle nove e quindici.'],
    ['pt', 'Custa 3 € às 14:00.', 'Custa três euros às catorze horas.'],
  ])('%s: %s', (language, written, said) => {
    expect(normalizeText(written, language).text.replace(/\.\.$/, '.')).toBe(said.replace(/\.\.$/, '.'));
  });

  it.each([
    ['en', 'GPT4 and B2B, H264, 3D: no numbers of their own.'],
    // Agrees with the word behind it, which the voice knows.
    ['de', '1 Stunde'],
    ['es', '1 hora'],
    // No rules for it.
    ['ja', '12:30 です 5km'],
  ])('%s: "%s" is left to the voice', (language, written) => {
    expect(normalizeText(written, language).text).toBe(written);
  });

  it('a date that does not exist is no date', () => {
    expect(normalizeText('On 2026-02-30.', 'en').text).not.toContain('February');
  });
});

it('each place in what is said belongs to a place in what is written, in order', () => {
  const sentence = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '$12.50',
          '15:30',
          'word',
          '2026-03-04',
          '-3 °C',
          'a@b.com',
          '1,234',
          '½',
          '20–25',
          '3 x 4',
          '.',
          '€',
        ),
        fc.string({ maxLength: 12 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(sentence, fc.constantFrom('en', 'de', 'es', 'fr', 'it', 'pt', 'xx'), (written, language) => {
      const normalized = normalizeText(written, language);
      let last = 0;
      for (let at = 0; at <= normalized.text.length; at += 1) {
        const place = normalized.writtenPosition(at);
        expect(place).toBeGreaterThanOrEqual(last);
        last = place;
      }
      expect(last).toBe(written.length);
    }),
  );
});

it('a sentence of the worst kind takes the time of a long one, not longer and longer', () => {
  // 1,000 characters are the most that is looked at. Without bounds in the patterns some of these ran for minutes.
  const parts = ['1', '1-', '1.', '1,', 'a.', 'a@', '1 ', '$1', '1:2', '-', '1½', 'a-', '1/2 ', '5-', '<5 ', 'am 1.'];
  parts.push('$5-', '1:1', 'x^', '√', 'Mon-', '5 km/', 'code is ', "5'", '5+ ', '1h', '90s ', 'a / ');
  for (const part of parts) {
    for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt'])
      normalizeText(part.repeat(Math.floor(1_000 / part.length)), language);
  }
});

// "$1,000,000" was read digit by digit, 2024/10/01 as a telephone number, and of others only a part was changed.
describe('A number that is not understood', () => {
  it.each([
    ['12/25/24', 'en'],
    ['2024/10/01', 'en'],
    ['16/32/64 GB', 'en'],
    ['24 48 72 hours', 'en'],
    ["CHF 1'250", 'en'],
    ['2026-03-04T15:30:00Z', 'en'],
    ['67 000 000', 'fr'],
  ])('%s is left to the voice', (text, language) => expect(normalizeText(text, language).text).toBe(text));

  it('is no long amount', () => expect(normalizeText('$1,000,000', 'en').text).toBe('one million dollars'));
});
