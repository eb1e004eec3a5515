import type { Gender, SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Longer numbers are read digit by digit: they are numbers of orders, accounts and telephones. */
const LONGEST_CARDINAL = 6;
/** Larger numbers are not said in words, although `n2words` could. */
const LONGEST_GROUPED = 15;

/** @returns the pattern of a number as this language writes it, without a sign. It captures nothing. */
export function numberPattern(locale: SpokenLocale): string {
  const decimal = locale.decimalMark === '.' ? '\\.' : ',';
  return `(?:\\d{1,3}(?:[${locale.groupMark}]\\d{3})+|\\d+)(?:${decimal}\\d+)?`;
}

/** @param text a number that `numberPattern` found. @returns its whole part without group marks, and its decimals. */
export function parseNumber(text: string, locale: SpokenLocale): { readonly whole: string; readonly decimals: string } {
  const [whole = '', decimals = ''] = text.split(locale.decimalMark);
  return { whole: whole.replaceAll(/\D/g, ''), decimals };
}

/** @param text see `parseNumber`. @returns the number as `Intl` takes it, to choose between singular and plural. */
export function numericValue(text: string, locale: SpokenLocale): number {
  const { whole, decimals } = parseNumber(text, locale);
  return Number(`${whole}.${decimals || '0'}`);
}

/** @returns "one hundred five", or single digits for a number that is said so. */
export function sayInteger(digits: string, locale: SpokenLocale): string {
  if (digits.length > LONGEST_GROUPED || (digits.length > 1 && digits.startsWith('0')))
    return sayDigits(digits, locale);
  return locale.cardinal(digits);
}

export function sayDigits(digits: string, locale: SpokenLocale): string {
  return [...digits].map((digit) => locale.cardinal(digit)).join(' ');
}

/** @param text a number that `numberPattern` found. */
export function sayNumber(text: string, locale: SpokenLocale): string {
  const { whole, decimals } = parseNumber(text, locale);
  const grouped = whole.length < text.length - decimals.length;
  const integer =
    !grouped && decimals === '' && whole.length > LONGEST_CARDINAL
      ? sayDigits(whole, locale)
      : sayInteger(whole, locale);
  return decimals === '' ? integer : `${integer} ${locale.words.decimal} ${sayDigits(decimals, locale)}`;
}

/** Before a noun: "one" agrees with it. */
export function sayCount(text: string, gender: Gender, locale: SpokenLocale): string {
  const { whole, decimals } = parseNumber(text, locale);
  if (decimals !== '') return sayNumber(text, locale);
  if (Number(whole) === 1) return locale.one[gender];
  return locale.counted?.(whole, gender) ?? sayNumber(text, locale);
}

const HALVES: Readonly<Record<string, 'half' | 'quarter' | 'threeQuarters'>> = {
  '½': 'half',
  '¼': 'quarter',
  '¾': 'threeQuarters',
};

/** Fewer digits are sizes or scores, slashes divide dates and choices, and groups of zeros are a large number. */
function isTelephone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= 7 && !/^\d+(?:\/\d+)+$/.test(text) && !/^\d{1,3}(?: \d{3})*(?: 000)+$/.test(text);
}

/** Numbers of every kind that is not a date, a time, a price or a measure. */
export function numberRules(locale: SpokenLocale): Rule[] {
  const number = numberPattern(locale);
  const { words } = locale;
  // "der 21. Tag": only the voice knows the ending. A number in a sentence that goes on looks the same.
  const leftToVoice = locale.language === 'de' ? '(?!\\d{1,2}\\. \\p{L})' : '';
  return [
    {
      // Groups of digits: telephone numbers.
      pattern: /(?<![\p{L}\d.,])\+?\(?\d{2,4}\)?(?:[ \-/]\d{2,4}){2,5}(?![\p{L}\d]|[.,-]\d)/gu,
      say: ([text]) =>
        isTelephone(text)
          ? (text.startsWith('+') ? `${words.plus} ` : '') +
            (text.match(/\d+/g) ?? []).map((group) => sayDigits(group, locale)).join(', ')
          : text,
    },
    {
      // A telephone number of two groups: no range ends with a number that begins with 0, and one calls no range.
      pattern:
        /(?<![\p{L}\d.,:/–-])(?:\d{3}-0\d{3}|(?<=\b(?:call|dial|phone|number|tel|fax|ring|text)\b[^\d.!?]{1,16})\d{3}-\d{4})(?![\p{L}\d/:-]|[.,]\d)/giu,
      say: ([text]) =>
        text
          .split('-')
          .map((group) => sayDigits(group, locale))
          .join(', '),
    },
    {
      // Versions and IP addresses.
      pattern: /(?<![\p{L}\d.,])\d{1,4}(?:\.\d{1,4}){2,}(?![\p{L}\d]|[.,]\d)/gu,
      say: ([text]) =>
        isGrouped(text, locale)
          ? sayNumber(text, locale)
          : text
              .split('.')
              .map((part) => sayInteger(part, locale))
              .join(` ${words.dot} `),
    },
    ordinalRule(locale),
    ...(locale.language === 'de' ? [germanOrdinalRule(locale)] : []),
    {
      pattern: new RegExp(`(?<![\\p{L}\\d.,:/-])(${number}) ?[–-] ?(${number})(?![\\p{L}\\d/:-]|[.,]\\d)`, 'gu'),
      say: ([, from, to]) => `${sayNumber(from!, locale)} ${words.to} ${sayNumber(to!, locale)}`,
    },
    {
      pattern: /(\d?)([½¼¾])/gu,
      say: ([, whole, part]) => {
        const fraction = words[HALVES[part!]!];
        return whole === '' ? fraction : `${sayInteger(whole!, locale)} ${words.and} ${fraction}`;
      },
    },
    {
      pattern: new RegExp(`(?<![\\p{L}\\d.,])([-−+~≈#]?)${leftToVoice}(${number})(?![\\p{L}\\d]|[.,]\\d)`, 'gu'),
      say: ([, sign, digits]) =>
        sign === '' && locale.agreeing.test(digits!)
          ? null
          : [signWord(sign!, locale), sayNumber(digits!, locale)].filter(Boolean).join(' '),
    },
  ];
}

function signWord(sign: string, { words }: SpokenLocale): string {
  if (sign === '-' || sign === '−') return words.minus;
  if (sign === '+') return words.plus;
  if (sign === '#') return words.number;
  return sign === '' ? '' : words.about;
}

const isGrouped = (text: string, locale: SpokenLocale): boolean =>
  locale.groupMark === '.' && /^\d{1,3}(?:\.\d{3})+$/.test(text);

const ORDINALS: Readonly<Record<string, { pattern: RegExp; feminine: RegExp }>> = {
  en: { pattern: /(?<![\p{L}\d.,])(\d{1,4})(st|nd|rd|th)(?!\p{L})/giu, feminine: /(?!)/ },
  es: { pattern: /(?<![\p{L}\d.,])(\d{1,3})\.?(º|ª)/gu, feminine: /ª/ },
  fr: { pattern: /(?<![\p{L}\d.,])(\d{1,4})(er|re|e|ème|ère)(?!\p{L})/giu, feminine: /re$/i },
  it: { pattern: /(?<![\p{L}\d.,])(\d{1,4})(º|ª|°(?! ?[CF]))/gu, feminine: /ª/ },
  pt: { pattern: /(?<![\p{L}\d.,])(\d{1,3})\.?(º|ª)/gu, feminine: /ª/ },
};

/** German: where the word before tells the ending, "im 21. Jahrhundert", "das 3. Mal". */
const germanOrdinalRule = (locale: SpokenLocale): Rule => ({
  pattern: /(?<=(?<!\p{L})(im|am|zum|zur|vom|beim|den|dem|das|die) )(\d{1,2})\.(?= \p{Lu})/giu,
  say: ([, article, digits]) =>
    Number(digits) === 0
      ? null
      : locale.ordinal(Number(digits), 'masculine') + (/^(?:das|die)$/i.test(article!) ? '' : 'n'),
});

/** German writes ordinals as "3.", but a sentence may also end so. Most of these are left to the voice. */
function ordinalRule(locale: SpokenLocale): Rule {
  const form = ORDINALS[locale.language];
  return {
    pattern: form?.pattern ?? /(?!)/gu,
    say: ([, digits, ending]) =>
      Number(digits) === 0
        ? null
        : locale.ordinal(Number(digits), form!.feminine.test(ending!) ? 'feminine' : 'masculine'),
  };
}
