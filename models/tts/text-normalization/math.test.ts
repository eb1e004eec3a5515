import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

const said = (text: string, language: string): string =>
  normalizeText(text, language).text.replaceAll(/ +/g, ' ').trim();

it.each([
  ['en', '5×3 is 15, and 2 × x = 6', 'five times three is fifteen, and two times x equals six'],
  ['en', 'x^2 + y² = z^n, 2^10', 'x squared plus y squared equals z to the power of n, two to the power of 10'],
  [
    'en',
    '√16 = 4, 8 / 2 = 4, 8 ÷ 2',
    'the square root of sixteen equals four, eight divided by two equals four, eight divided by two',
  ],
  ['en', '(a + b) / c', '(a plus b) over c'],
  ['en', '3 < 5, x >= 2, a≠b', 'three is less than five, x is at least two, a is not equal to b'],
  ['en', '2πr and ±5', '2 pi r and plus or minus five'],
  ['de', 'x^2 = 9, √9 = 3, 3 < 5', 'x Quadrat gleich 9, Wurzel aus 9 gleich 3, 3 kleiner als 5'],
  ['fr', 'x^2 ou x^3', 'x au carré ou x au cube'],
  ['es', 'x^2 ≤ 9', 'x al cuadrado es menor o igual a 9'],
])('%s: %s', (language, written, spoken) => {
  expect(said(written, language)).toBe(spoken);
});

it.each(['I <3 you', 'Monday / Tuesday', 'C++ and A+', 'Ask α-Centauri', 'ok :^) yes'])('stays: %s', (written) => {
  expect(said(written, 'en').replace('three', '3').replace('alpha', 'α').replace(' -', '-')).toBe(written);
});
