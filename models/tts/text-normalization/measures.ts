import type { Gender, SpokenLocale } from './locale.ts';
import { numberPattern, numericValue, sayCount } from './numbers.ts';
import type { Rule } from './rule.ts';

/** Units behind a number, and their names in `Intl`. */
const UNITS: Readonly<Record<string, string>> = {
  'km/h': 'kilometer-per-hour',
  'm/s': 'meter-per-second',
  'kB/s': 'kilobyte-per-second',
  'MB/s': 'megabyte-per-second',
  'Mbit/s': 'megabit-per-second',
  Mbps: 'megabit-per-second',
  'Gbit/s': 'gigabit-per-second',
  mph: 'mile-per-hour',
  '°C': 'celsius',
  '°F': 'fahrenheit',
  '°': 'degree',
  '%': 'percent',
  km: 'kilometer',
  m: 'meter',
  cm: 'centimeter',
  mm: 'millimeter',
  mi: 'mile',
  ft: 'foot',
  kg: 'kilogram',
  g: 'gram',
  lbs: 'pound',
  lb: 'pound',
  oz: 'ounce',
  ml: 'milliliter',
  mL: 'milliliter',
  l: 'liter',
  L: 'liter',
  ha: 'hectare',
  kB: 'kilobyte',
  KB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
  TB: 'terabyte',
  ms: 'millisecond',
  min: 'minute',
  h: 'hour',
  hrs: 'hour',
  hr: 'hour',
  s: 'second',
};

const escaped = (text: string): string => text.replaceAll(/[/.*+?^$()[\]{}|\\]/g, '\\$&');

/** Measures: "5 km/h", "-3 °C", "20 %", "20–25 kg". */
export function measureRules(locale: SpokenLocale): Rule[] {
  const number = numberPattern(locale);
  const unit = Object.keys(UNITS)
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');
  return [
    {
      pattern: new RegExp(
        // Without a space and a decimal, "s" is a plural: "747s".
        `(?<![\\p{L}\\d.,/$€£¥₹])([-−+]?)(?:(${number}) ?[–-] ?)?(${number})(?!(?<![.,]\\d+)s(?!\\p{L}))[ \\u00a0\\u202f]?(${unit})(?![\\p{L}\\d/²³])`,
        'gu',
      ),
      say: ([, minus, from, digits, sign]) => {
        const unit = UNITS[sign!]!;
        const range =
          from === undefined
            ? ''
            : `${sayCount(from, genderOf(unitName(numericValue(digits!, locale), unit, locale), locale), locale)} ${locale.words.to} `;
        return (
          (minus === '' ? '' : `${minus === '+' ? locale.words.plus : locale.words.minus} `) +
          range +
          sayUnit(digits!, unit, locale)
        );
      },
    },
  ];
}

/** @param digits a number as it is written. @param unit its name in `Intl`. @returns "five meters". */
export function sayUnit(digits: string, unit: string, locale: SpokenLocale): string {
  const name = unitName(numericValue(digits, locale), unit, locale);
  return `${sayCount(digits, genderOf(name, locale), locale)} ${name}`;
}

const genderOf = (unit: string, locale: SpokenLocale): Gender =>
  locale.feminineUnits.test(unit) ? 'feminine' : 'masculine';

function unitName(amount: number, unit: string, { tag }: SpokenLocale): string {
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' })
    .formatToParts(amount)
    .filter(({ type }) => type === 'unit' || type === 'percentSign')
    .map(({ value }) => value.trim())
    .join(' ');
}
