import { toCardinal as germanCardinal, toOrdinal as germanOrdinal } from 'n2words/de-DE';
import { toCardinal } from 'n2words/en-US';
import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Dates in digits: "2026-03-04", "3/4/2026", "25.12.24". `Intl` names the month, the voice says the rest. */
export function dateRules(locale: SpokenLocale): Rule[] {
  const date = (year: string, month: string, day: string): string | null => longDate(+year, +month, +day, locale);
  const before = String.raw`(?<![\p{L}\d.,/-])`;
  const behind = String.raw`(?![\p{L}\d]|[-./:]\d)`;
  return [
    {
      // With a time it is a time stamp.
      pattern: new RegExp(
        String.raw`${before}(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:?\d\d|(Z))?)?${behind}`,
        'gu',
      ),
      say: ([, year, , month, day, time, zone]) =>
        [date(year!, month!, day!), time === undefined ? '' : `, ${time}`, zone === undefined ? '' : ' UTC'].reduce<
          string | null
        >((said, part) => (said === null || part === null ? null : said + part), ''),
    },
    {
      pattern: new RegExp(String.raw`${before}(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d{2})${behind}`, 'gu'),
      say: ([, first, mark, second, year]) => {
        const full = year!.length === 2 ? `20${year}` : year!;
        const isAmerican = mark === '/' && locale.language === 'en' && Number(first) <= 12;
        return isAmerican ? date(full, first!, second!) : date(full, second!, first!);
      },
    },
    ...(locale.language === 'de' ? GERMAN : []),
  ];
}

/** The form after "am", "dem" and "vom". It is understood without an article, too. */
const ordinal = (day: string): string => `${germanOrdinal(Number(day))}n`;
const GERMAN_MONTHS = 'Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember';

/** "eintausendneunhundert" is an amount. */
const inHundreds = (century: string, rest: string): string =>
  `${germanCardinal(century)}hundert${rest === '00' ? '' : germanCardinal(rest)}`;

/** No voice sees that "21." is an ordinal, unless the word before or behind it tells. */
const GERMAN: readonly Rule[] = [
  {
    pattern:
      /(?<=(?<!\p{L})(?:im Jahre?|in den|seit|bis|von|ab|vor|nach|Jahrgang) )(1[1-9])(\d\d)(er)?(?![\p{L}\d%€]|[.,:]\d| ?(?:[€$%]|Euro|km|kg|m|l)(?!\p{L}))/giu,
    say: ([, century, rest, decade = '']) => inHundreds(century!, rest!) + decade,
  },
  {
    pattern: /(?<=(?<!\p{L})(?:am|vom|zum|bis|ab|dem|den|seit) )(\d{1,2})\.(\d{1,2})\.(?!\d)/giu,
    say: ([, day, month]) => {
      const name = GERMAN_MONTHS.split('|')[Number(month) - 1];
      return name === undefined || Number(day) < 1 || Number(day) > 31 ? null : `${ordinal(day!)} ${name}`;
    },
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d.,–-])((?:[IiAa]m|[ZzVv]o?u?[mr]|[Bb]eim|[Dd](?:en|em|as|ie|er)) )?([1-9]\d?)\.(?= (${GERMAN_MONTHS})| \p{Lu})`,
      'gu',
    ),
    say: ([, article, number, month]) => {
      const after = article?.toLowerCase().trim();
      if (month === undefined && (after === undefined || after === 'der')) return null;
      const said = germanOrdinal(Number(number));
      return (article ?? '') + (after !== undefined && /^d(?:as|ie|er)$/.test(after) ? said : `${said}n`);
    },
  },
];

/** @returns "March 4th, 2026"; null when there is no such day. */
function longDate(year: number, month: number, day: number, { language, tag }: SpokenLocale): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const said = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  if (language === 'de') return said.replace(/^\d+\./, (digits) => ordinal(digits.slice(0, -1)));
  if (language === 'en')
    return (
      said
        .replace(/\d+/, (digits) => englishOrdinal(digits))
        // Voices say "one thousand nine hundred".
        .replace(
          /\b(1[1-9])([1-9]\d)$/,
          (_, century: string, rest: string) => `${toCardinal(century)} ${toCardinal(rest)}`,
        )
    );
  return day === 1 && language === 'fr' ? said.replace(/^1 /, '1er ') : said;
}

const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const PLURALS = new Intl.PluralRules('en', { type: 'ordinal' });

/** @returns "3rd". */
export const englishOrdinal = (digits: string): string => `${digits}${ENDINGS[PLURALS.select(Number(digits))]}`;
