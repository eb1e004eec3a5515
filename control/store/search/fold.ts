import { foldHan } from './fold-han.ts';

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
  ـ: '',
  // Persian keyboards have other codes for two letters of Arabic.
  ی: 'ي',
  ک: 'ك',
  þ: 'th',
  ð: 'd',
  // Hindi: a dot for sounds of other languages, and two ways to write a nasal.
  '\u093c': '',
  '\u0901': '\u0902',
  // Between parts of a word.
  '\u200c': '',
  '\u200d': '',
};

const OTHERWISE = new RegExp(Object.keys(LETTERS).join('|'), 'gu');

const NASAL = /न्(?=[तथदधन])|म्(?=[पफबभम])|ङ्(?=[कखगघ])|ञ्(?=[चछजझ])|ण्(?=[टठडढ])/gu;

/**
 * A word as it is compared: lower case, without accents and vowel points. The vowel signs of Indian scripts and the
 * voicing marks of Japanese stay: without them it would be another word.
 */
export function fold(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g, '')
    .replaceAll(OTHERWISE, (letter) => LETTERS[letter]!)
    .replaceAll(NASAL, '\u0902')
    .replaceAll(/(?![0-9])\p{Nd}/gu, plainDigit)
    .normalize('NFC');
}

/** The digits of a script have codes one behind the other. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/** Pairs of characters: the syllables of Japanese are written in two scripts, and so is Chinese. */
export function foldPair(pair: string): string {
  return foldHan(pair).replaceAll(/[\u3041-\u3096]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60));
}
