import { expect, it } from 'vitest';
import { normalizeText } from './normalize-text.ts';

it.each([
  ['en', 'in the 90s and the 1980s', 'in the nineties and the nineteen eighties'],
  ['en', "the '60s, the 70's, the 2010s", 'the sixties, the seventies, the twenty tens'],
  ['en', 'in my early 20s, in the 1900s and 2000s', 'in my early twenties, in the nineteen hundreds and two thousands'],
  ['en', 'wait for 30s, 9.58s', 'wait for 30s, nine point five eight seconds'],
  ['en', 'Boeing 747s and the iPhone 5s', 'Boeing 747s and the iPhone 5s'],
  ['de', 'in den 90er Jahren, der 1980er', 'in den neunziger Jahren, der neunzehnhundertachtziger'],
])('%s: %s', (language, written, said) => {
  expect(normalizeText(written, language).text).toBe(said);
});
