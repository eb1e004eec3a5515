import { expect, it } from 'vitest';
import { normalCasing } from './normal-casing.ts';

it.each([
  ['en', 'HELLO HOW ARE YOU', 'Hello how are you'],
  ['en', "I THINK I'M LATE AND SO AM I", "I think I'm late and so am I"],
  ['en', 'INDEED IT IS', 'Indeed it is'],
  ['de', 'SCHÖN DASS SIE DA SIND', 'Schön dass sie da sind'],
  ['es', '', ''],
])('writes capitals in %s as people do: %s', (language, text, expected) => {
  expect(normalCasing(text, language)).toBe(expected);
});
