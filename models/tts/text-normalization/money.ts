import type { SpokenLocale } from './locale.ts';
import { numberPattern, parseNumber, sayCount, sayInteger, sayNumber } from './numbers.ts';
import type { Rule } from './rule.ts';

const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  A$: 'AUD',
  C$: 'CAD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};
const CODES = ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'INR', 'CAD', 'AUD', 'BRL', 'MXN'];
/** Country names in names of currencies. "$" is said as "dollars", "US$" as "US dollars". */
const COUNTRY = /US-|\bUS |\bBritish |\bBritische |\bJapanese |\bJapanischer? |\bIndian |\bIndische /u;
const COUNTRY_BEHIND =
  / (?:estadounidenses?|des États-Unis|statunitensi|statunitense|dos Estados Unidos|britânicas?|britannic(?:a|he))$/u;

/** "$3M" in words; German and the Romance languages write the word. */
const MAGNITUDES: Readonly<Record<string, string>> = {
  K: 'thousand',
  M: 'million',
  MN: 'million',
  B: 'billion',
  BN: 'billion',
  T: 'trillion',
  TN: 'trillion',
};

/** English: hundredths have their own name. */
const ENGLISH_HUNDREDTHS: Readonly<Record<string, readonly [one: string, other: string]>> = {
  USD: ['cent', 'cents'],
  EUR: ['cent', 'cents'],
  GBP: ['penny', 'pence'],
};

/** Prices: "$12.50", "3,50 €", "5 EUR", "$3M", "$3 million". */
export function moneyRules(locale: SpokenLocale): Rule[] {
  const number = numberPattern(locale);
  const sign = '(US\\$|[AC]\\$|[$€£¥₹])';
  const magnitude =
    locale.language === 'en'
      ? '(?:([KMBTkmbt]|[mbt]n)(?!\\p{L})| (thousand|million|billion|trillion)(?!\\p{L}))?'
      : '()()';
  const say = (digits: string, currency: string, factor: string | undefined): string =>
    factor === undefined || factor === ''
      ? sayPrice(digits, currency, locale)
      : `${sayNumber(digits, locale)} ${factor} ${currencyName(2, currency, locale)}`;
  return [
    {
      pattern: new RegExp(`(?<![\\p{L}\\d])([-−]?)${sign} ?(${number})${magnitude}(?![\\p{L}\\d]|[.,]\\d)`, 'gu'),
      say: ([, minus, unit, digits, letter, word]) =>
        (minus === '' ? '' : `${locale.words.minus} `) +
        say(digits!, SIGNS[unit!]!, word || MAGNITUDES[(letter ?? '').toUpperCase()]),
    },
    {
      pattern: new RegExp(`(?<!\\p{L})(${CODES.join('|')}) ?(${number})(?![\\p{L}\\d]|[.,]\\d)`, 'gu'),
      say: ([, code, digits]) => sayPrice(digits!, code!, locale),
    },
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\d.,])(${number})[ \\u00a0\\u202f]?(?:([$€£¥₹])|(${CODES.join('|')})(?!\\p{L}))`,
        'gu',
      ),
      say: ([, digits, unit, code]) => sayPrice(digits!, unit === undefined ? code! : SIGNS[unit]!, locale),
    },
  ];
}

const LONGEST_COUNT = 6;

function sayPrice(digits: string, currency: string, locale: SpokenLocale): string {
  const { whole, decimals } = parseNumber(digits, locale);
  if (decimals === '' || /^0+$/.test(decimals)) return counted(whole, currency, locale);
  if (decimals.length !== 2) return `${sayNumber(digits, locale)} ${currencyName(2, currency, locale)}`;
  const names = locale.language === 'en' ? ENGLISH_HUNDREDTHS[currency] : undefined;
  const hundredths = sayInteger(String(Number(decimals)), locale);
  if (names === undefined) {
    return Number(whole) === 0
      ? `${sayNumber(digits, locale)} ${currencyName(2, currency, locale)}`
      : [counted(whole, currency, locale), locale.words.hundredths, hundredths].filter(Boolean).join(' ');
  }
  const small = `${hundredths} ${Number(decimals) === 1 ? names[0] : names[1]}`;
  return Number(whole) === 0 ? small : `${counted(whole, currency, locale)} ${locale.words.hundredths} ${small}`;
}

function counted(whole: string, currency: string, locale: SpokenLocale): string {
  const name = currencyName(Number(whole), currency, locale);
  const gender = /libra|livre|sterlina|rupia|roupie/i.test(name) ? 'feminine' : 'masculine';
  // An amount is a number however long it is; sayCount reads long ones as those of orders.
  const amount = whole.length > LONGEST_COUNT ? sayInteger(whole, locale) : sayCount(whole, gender, locale);
  return `${amount} ${name}`;
}

/** @returns the currency's name in the singular or plural that the amount asks for. */
function currencyName(amount: number, currency: string, { tag }: SpokenLocale): string {
  const parts = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: 0,
  }).formatToParts(amount);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return name.replace(COUNTRY, '').replace(COUNTRY_BEHIND, '');
}
