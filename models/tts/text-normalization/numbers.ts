import { toCardinal } from 'n2words/en-US';
import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** @returns the pattern of a number as this language writes it, without a sign. It captures nothing. */
export function numberPattern({ decimalMark, language }: SpokenLocale): string {
  const group = decimalMark === '.' ? ',' : '.';
  // A plain space groups where the language says so, or where the last group is zeros: "1 000 000".
  const spaced = language === 'fr' ? String.raw`[1-9]\d{0,2}(?: \d{3})+` : String.raw`[1-9]\d{0,2}(?: \d{3}){0,4} 000`;
  // As other languages write it, where both marks are there: "1.234,56" in English; and by lakhs: "1,00,000".
  const foreign = String.raw`\d{1,3}(?:[${decimalMark}]\d{3})+[${group}]\d{1,2}(?!\d|[.,]\d)`;
  const lakhs = decimalMark === '.' ? String.raw`\d{1,2}(?:,\d\d)+,\d{3}(?!\d)|` : '';
  return String.raw`(?:${foreign}|(?:${lakhs}\d{1,3}(?:[${group}'’\u00a0\u202f]\d{3})+|${spaced}|\d+)(?!\d)(?:[${decimalMark}]\d+)?)`;
}

/** @param text a number that `numberPattern` found. @returns it without group marks: "1250,5". */
export function plainNumber(written: string, { decimalMark }: SpokenLocale): string {
  const group = decimalMark === '.' ? ',' : '.';
  const isForeign = written.indexOf(decimalMark) !== -1 && written.lastIndexOf(group) > written.indexOf(decimalMark);
  const text = isForeign ? written.replaceAll(decimalMark, '').replace(group, decimalMark) : written;
  const [whole = '', decimals] = text.split(decimalMark);
  return whole.replaceAll(/\D/g, '') + (decimals === undefined ? '' : decimalMark + decimals);
}

/** @returns the number as `Intl` takes it, to choose between singular and plural. */
export const numericValue = (text: string, locale: SpokenLocale): number =>
  Number(plainNumber(text, locale).replace(',', '.'));

/**
 * @returns the number as every voice reads it. English is in words, because flite guesses whether digits are a year, a
 * cardinal or single digits.
 */
export function sayNumber(text: string, locale: SpokenLocale): string {
  const plain = plainNumber(text, locale);
  const [whole = '', decimals] = plain.split(locale.decimalMark);
  if (locale.language !== 'en' || (whole.length > 1 && whole.startsWith('0')) || whole.length > LONGEST) return plain;
  return (
    toCardinal(whole) +
    (decimals === undefined ? '' : ` point ${[...decimals].map((digit) => toCardinal(digit)).join(' ')}`)
  );
}
/** Larger numbers are no amounts. */
const LONGEST = 15;

/** Before a noun, where "one" agrees with it. */
export function count(text: string, noun: string, locale: SpokenLocale): string {
  const isOne = plainNumber(text, locale) === '1' && locale.one !== null;
  return isOne ? locale.one[locale.feminineUnits.test(noun) ? 1 : 0] : sayNumber(text, locale);
}

/** Numbers that stand alone. A year is left to the voice, and so are numbers in a row. */
export function numberRules(locale: SpokenLocale): Rule[] {
  const isYear = /^(?:1[1-9]|20)\d\d$/;
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\d.,:/–-]|\d )${numberPattern(locale)}(?![\p{L}\d:/–'’-]|[.,]\d| \d)`,
        'gu',
      ),
      say: ([number]) => (isYear.test(number) ? null : sayNumber(number, locale)),
    },
  ];
}
