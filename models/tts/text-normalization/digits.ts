import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** What comes before numbers that are read digit by digit. */
const CODES =
  'code|pin|passcode|otp|zip|zip code|postcode|extension|ext\\.?|ending in|isbn(?:-1[03])?|plz|postleitzahl|durchwahl|código|' +
  'código postal|extensión|code postal|codice|cap';
const CALLS = 'call|dial|phone|number|tel|fax|ring|text|hotline|telefon|nummer|numéro|teléfono|número|numero|telefone';

/** @returns "4 1 5, 5 5 5": each voice says single digits, and pauses at commas. */
const spaced = (text: string, { words }: SpokenLocale): string =>
  (text.startsWith('+') ? `${words.plus} ` : '') +
  (text.match(/\d+|X$/g) ?? []).map((group) => [...group].join(' ')).join(', ');

/** An account (IBAN), four by four. */
const accountRule: Rule = {
  pattern: /(?<![\p{L}\d])([A-Z]{2}\d\d(?: ?[\dA-Z]{4}){3,7}(?: ?[\dA-Z]{1,3})?)(?![\p{L}\d])/gu,
  say: ([text]) =>
    text
      .replaceAll(' ', '')
      .match(/.{1,4}/g)!
      .map((four) => [...four].join(' '))
      .join(', '),
};

/** Telephone numbers, codes, versions: no voice knows that "555-0134" is no range. */
export function digitRules(locale: SpokenLocale): Rule[] {
  const say = ([text]: RegExpMatchArray): string => spaced(text!, locale);
  const before = String.raw`(?<![\p{L}\d.,:/–+-])`;
  const behind = String.raw`(?![\p{L}\d%]|[.,:/-]\d)`;
  const rule = (pattern: string, flags = 'gu'): Rule => ({ pattern: new RegExp(pattern + behind, flags), say });
  return [
    rule(
      String.raw`(?<=(?<!\p{L})(?:${CODES})(?: is| ist| lautet| es| est| è| é)?:? )\d{2,13}(?:[ -]\d{1,7}){0,4}(?:-X)?`,
      'giu',
    ),
    // A state before its ZIP code.
    ...(locale.language === 'en' ? [rule(String.raw`(?<=, [A-Z]{2} )\d{5}(?:-\d{4})?`)] : []),
    // International, with an area code, in the North American form, and the numbers that films use.
    rule(String.raw`(?<![\p{L}\d])\+\d{1,3}(?:[ ./-]?\(?\d{1,12}\)?){1,6}`),
    rule(String.raw`${before}(?<!\d )\(?0\d{1,4}\)?(?:[ /-]\d{2,8}){1,5}`),
    rule(String.raw`${before}(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}`),
    rule(String.raw`(?<![\p{L}\d])\(\d{2}\) ?\d{4,5}-\d{4}`),
    rule(String.raw`(?<=(?<!\p{L})(?:call|dial|ring) (?:\d{3} or )?)\d{3}`, 'giu'),
    accountRule,
    // Cards; a word for the end of a toll-free number.
    rule(String.raw`${before}\d{4}([ -])\d{4}\1\d{4}\1\d{4}`),
    { pattern: /(?<![\p{L}\d])1-(8\d\d)-(?=[A-Z]{3,}(?!\p{Ll}))/gu, say: ([, area]) => `1 ${spaced(area!, locale)}, ` },
    rule(
      String.raw`(?<=(?<!\p{L})(?:tel|tlf|tfn|fon|tél|téléphone|telefon|teléfono|telefono|telefone)\.?:? )[\d(][\d ()/-]{5,22}\d`,
      'giu',
    ),
    rule(String.raw`${before}\d{3}-0\d{3}`),
    rule(String.raw`${before}(?<=\b(?:${CALLS})\b[^\d.!?]{1,16})\d{3}-\d{4}`, 'giu'),
    // Orders and accounts. Zeros at the end are a large number.
    rule(String.raw`${before}#?\d{7,24}(?<!000)(?! ?(?:[€£¥]|[A-Z]{3}\b))`),
    {
      // Versions and IP addresses.
      pattern: /(?<![\p{L}\d.,])v?\d{1,4}(?:\.\d{1,4}){2,}(?![\p{L}\d]|[.,]\d)/gu,
      say: ([text]) =>
        locale.decimalMark === ',' && /^\d{1,3}(?:\.\d{3})+$/.test(text)
          ? null
          : text.replaceAll('.', ` ${locale.words.dot} `),
    },
  ];
}
