import { toCardinal } from 'n2words/en-US';
import type { SpokenLocale } from './locale.ts';
import { count, numberPattern, numericValue, plainNumber, sayNumber } from './numbers.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

/** Signs, and the currencies that they mean. */
const SIGNS: Readonly<Record<string, string>> = pairs(`
    US$: USD, A$: AUD, C$: CAD, CA$: CAD, AU$: AUD, NZ$: NZD, HK$: HKD, S$: SGD, R$: BRL, $: USD, €: EUR,
    £: GBP, ¥: JPY, ₹: INR, ₩: KRW, Rs.: INR, Rs: INR, ₽: RUB, ₺: TRY, ₴: UAH, ₪: ILS, zł: PLN, kr: NOK, Kč: CZK
  `);
const CODES = 'USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|NZD|BRL|MXN|CNY|SEK|NOK|DKK|PLN|CZK|HUF|TRY|KRW|RUB|ZAR|SGD|HKD|AED|ILS';
/** Signs that do not tell the country: "$" is said as "dollars", "kr" as "kroner". */
const NO_COUNTRY = /^(?:[$£¥₹₩₽₺₴₪]|Rs\.?|zł|kr|Kč)$/u;
const MAGNITUDES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', b: 'billion', t: 'trillion' };
/** Words between a number and its currency in other languages. */
const LARGE =
  'mil millones|millones|millón|mil|milhões|milhão|bilhões|bilhão|mila|milioni|milione|miliardi|miliardo|' +
  'mille|millions?|milliards?|Millionen?|Milliarden?|tausend|Tausend';
/** "5 millones de euros" */
const OF: Readonly<Record<string, string>> = { es: 'de ', pt: 'de ', it: 'di ', fr: 'de ' };
/** English: hundredths have their own name. */
const HAS_CENTS = /USD|EUR|AUD|CAD|NZD/;

/** Prices: "$12.50", "$5-10", "3,50 €", "89,- €", "5 EUR", "$3M", "$3 million", "R$ 30". */
export function moneyRules(locale: SpokenLocale): Rule[] {
  // Prices have a point in Switzerland, and where they are in dollars: two digits behind it are no group.
  const number =
    (locale.decimalMark === ',' ? String.raw`(?:\d{1,6}\.\d\d(?!\d|[.,]\d)|` : '(?:') + `${numberPattern(locale)})`;
  const unit = `(${[...Object.keys(SIGNS), ...CODES.split('|')]
    .map((sign) => sign.replaceAll(/[$.]/g, String.raw`\$&`))
    .toSorted((a, b) => b.length - a.length)
    .join('|')})`;
  const space = String.raw`[ \u00a0\u202f]?`;
  const magnitude =
    locale.language === 'en'
      ? String.raw`(?:([KMBTkmbt]n?)(?!\p{L})| ((?:thous|[mbtr]+ill)\p{L}+))?`
      : String.raw`()(?: (${LARGE}))?`;
  const say = (minus: string | undefined, sign: string, from: string | undefined, digits: string, factor: string) =>
    (minus === '' || minus === undefined ? '' : `${locale.words.minus} `) +
    (from === undefined ? '' : `${sayNumber(from, locale)} ${locale.words.to} `) +
    price(digits.replace(/^(\d+)\.(\d\d)$/, `$1${locale.decimalMark}$2`), sign, factor, locale);
  return [
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\d])([-−]?)${unit}${space}(?:(${number}) ?[–-] ?\2?)?(${number})${magnitude}(?![\p{L}\d]|[.,/]\d)`,
        'gu',
      ),
      say: ([, minus, sign, from, digits, letter, word]) =>
        say(minus, sign!, from, digits!, word || MAGNITUDES[(letter ?? '')[0]?.toLowerCase() ?? ''] || ''),
    },
    {
      pattern: new RegExp(
        String.raw`(?<![\p{L}\d.,/:])([-−]?)(?:(${number}) ?[–-] ?)?(${number})(?:,-+|,–)?${space}${unit}(?![\p{L}\d])`,
        'gu',
      ),
      say: ([, minus, from, digits, sign]) => say(minus, sign!, from, digits!, ''),
    },
    {
      // "3 Mio. €": another rule says the word before the sign.
      pattern: new RegExp(
        String.raw`(?<=\d ?(?:${LARGE}|Mio\.?|Mrd\.?|Tsd\.?|mln|mld|mi)) ?([€£$])(?![\p{L}\d])`,
        'gu',
      ),
      say: ([, sign]) => ` ${OF[locale.language] ?? ''}${currencyName(2, SIGNS[sign!]!, true, locale)}`,
    },
    ...(locale.language === 'en' ? CENTS : []),
  ];
}

/** Without a zero before the point, and with a sign of their own. */
const CENTS: readonly Rule[] = [
  { pattern: /(?<![\p{L}\d$€])[$€]\.(\d\d)(?!\d)/gu, say: ([, digits]) => centsOf(digits!) },
  {
    pattern: /(?<![\p{L}\d.,–-])(?:(\d{1,3}) ?[–-] ?)?(\d{1,3}) ?¢/gu,
    say: ([, from, digits]) => (from === undefined ? '' : `${toCardinal(from)} to `) + centsOf(digits!),
  },
];

const centsOf = (digits: string): string =>
  `${toCardinal(String(Number(digits)))} ${hundredths(Number(digits), 'USD')}`;

function price(digits: string, sign: string, factor: string, locale: SpokenLocale): string {
  const currency = SIGNS[sign] ?? sign;
  const name = (value: number): string => currencyName(value, currency, NO_COUNTRY.test(sign), locale);
  const [whole = '', decimals = ''] = plainNumber(digits, locale).split(locale.decimalMark);
  if (factor !== '') {
    const of = /^[mb]ill?i|millón|millones|milh|bilh/i.test(factor) ? (OF[locale.language] ?? '') : '';
    const joint = locale.language === 'fr' && /^[aeiouhéè]/i.test(name(2)) ? of.replace('de ', 'd’') : of;
    return `${sayNumber(digits, locale)} ${factor} ${joint}${name(2)}`;
  }
  if (/^0{0,2}$/.test(decimals)) return `${count(whole, name(1), locale)} ${name(Number(whole))}`;
  if (decimals.length !== 2) return `${sayNumber(digits, locale)} ${name(2)}`;
  const small = locale.language === 'en' ? hundredths(Number(decimals), currency) : '';
  if (Number(whole) === 0)
    return small === ''
      ? `${sayNumber(digits, locale)} ${name(2)}`
      : `${sayNumber(String(Number(decimals)), locale)} ${small}`;
  const parts = [count(whole, name(1), locale), name(numericValue(whole, locale)), locale.words.hundredths];
  return [...parts, sayNumber(String(Number(decimals)), locale), small].filter((part) => part !== '').join(' ');
}

function hundredths(value: number, currency: string): string {
  if (currency === 'GBP') return value === 1 ? 'penny' : 'pence';
  if (!HAS_CENTS.test(currency)) return '';
  return value === 1 ? 'cent' : 'cents';
}

/** @param isPlain without the country: the last word in English and German, the first one in Romance languages. */
function currencyName(value: number, currency: string, isPlain: boolean, { tag, language }: SpokenLocale): string {
  const name = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: 0,
  })
    .formatToParts(value)
    .find(({ type }) => type === 'currency')!.value;
  if (!isPlain) return name;
  const words = name.split(/[ -]/);
  return /en|de/.test(language) ? words.at(-1)! : words[0]!;
}
