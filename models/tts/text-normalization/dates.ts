import type { SpokenLocale } from './locale.ts';
import { sayInteger } from './numbers.ts';
import type { Rule } from './rule.ts';

/** Dates and years: "2026-03-04", "3/4/2026", "4.3.2026", "March 4, 2026", "in 1984". */
export function dateRules(locale: SpokenLocale): Rule[] {
  const numeric = (year: string, month: string, day: string): string | null => sayDate(+year, +month, +day, locale);
  const months = monthNames(locale);
  const month = months.join('|');
  return [
    {
      pattern: /(?<![\p{L}\d.,/-])(\d{4})-(\d{2})-(\d{2})(?![\p{L}\d]|[-./]\d)/gu,
      say: ([, year, month, day]) => numeric(year!, month!, day!),
    },
    {
      pattern: /(?<![\p{L}\d.,/-])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\p{L}\d]|[-./]\d)/gu,
      say: ([, first, mark, second, year]) =>
        mark === '/' && locale.dateOrder === 'month-day'
          ? numeric(year!, first!, second!)
          : numeric(year!, second!, first!),
    },
    locale.dateOrder === 'month-day'
      ? {
          pattern: new RegExp(
            `(?<!\\p{L})(${month}) (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?![\\p{L}\\d:]|[.,]\\d)`,
            'gu',
          ),
          say: ([, name, day, year]) =>
            sayDate(year === undefined ? null : +year, months.indexOf(name!) + 1, +day!, locale),
        }
      : {
          pattern: new RegExp(
            `(?<![\\p{L}\\d.,/-])(der )?(\\d{1,2})(?:\\.|er|º|°)? (?:de )?(${month})(?:(?: de)? (\\d{4}))?(?![\\p{L}\\d]|[.,]\\d)`,
            'giu',
          ),
          say: ([, article = '', day, name, year]) => {
            const said = sayDate(
              year === undefined ? null : +year,
              months.indexOf(name!.toLowerCase()) + 1,
              +day!,
              locale,
            );
            // German: "der vierte März", otherwise "am vierten März".
            return said === null || article === '' ? said : article + said.replace(/^(\S+)n /u, '$1 ');
          },
        },
    ...(SHORT_DATES[locale.language]?.(locale) ?? []),
    {
      pattern: YEARS[locale.language] ?? /(?!)/gu,
      say: ([, before, year]) => `${before}${sayYear(+year!, locale)}`,
    },
  ];
}

/** Dates that only one language writes so. */
const SHORT_DATES: Readonly<Record<string, (locale: SpokenLocale) => Rule[]>> = {
  // "Dec 25", "Jan. 5th, 2024", "5 May 2024".
  en: (locale) => [
    {
      pattern:
        /(?<!\p{L})(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?![\p{L}\d:%]|[.,]\d)/gu,
      say: ([, name, day, year]) => sayDate(year === undefined ? null : +year, monthNumber(name!), +day!, locale),
    },
    {
      pattern:
        /(?<![\p{L}\d.,/-])(\d{1,2})(?:st|nd|rd|th)? (Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?(?: (\d{4}))?(?![\p{L}\d:%]|[.,]\d)/gu,
      say: ([, day, name, year]) => sayDate(year === undefined ? null : +year, monthNumber(name!), +day!, locale),
    },
  ],
  // "am 24.12.": without a word before it, "1.2." may be a version at the end of a sentence.
  de: (locale) => [
    {
      pattern: /(?<=(?<!\p{L})(?:am|vom|zum|bis|ab|dem|den|seit) )(\d{1,2})\.(\d{1,2})\.(?!\d)/giu,
      say: ([, day, month]) => sayDate(null, +month!, +day!, locale),
    },
  ],
};

const monthNumber = (name: string): number =>
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** Words before a year of four digits. */
const YEARS: Readonly<Record<string, RegExp>> = {
  en: /(?<!\p{L})((?:in|since|until|before|after|year|early|late|mid|spring|summer|autumn|fall|winter|q[1-4]|©) )((?:1[1-9]|20)\d\d)(?![\p{L}\d%°]|[.,:/-]\d)/giu,
  de: /(?<!\p{L})((?:seit|jahr|jahre|anfang|ende|mitte|bis|im jahr) )((?:1[1-9]|20)\d\d)(?![\p{L}\d%°]|[.,:/-]\d| (?:Euro|Meter|Kilo))/giu,
};

/** @param year null: none is written. @returns null when there is no such day. */
function sayDate(year: number | null, month: number, day: number, locale: SpokenLocale): string | null {
  const date = new Date(Date.UTC(year ?? 2000, month - 1, day));
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const name = monthNames(locale, false)[month - 1]!;
  const said = year === null ? '' : sayYear(year, locale);
  switch (locale.language) {
    case 'en':
      return `${name} ${locale.ordinal(day, 'masculine')}${said && `, ${said}`}`;
    case 'de':
      // The form after "am", "dem" and "vom". It is understood without an article, too.
      return `${locale.ordinal(day, 'masculine')}n ${name}${said && ` ${said}`}`;
    case 'es':
      return `${sayInteger(String(day), locale)} de ${name}${said && ` de ${said}`}`;
    case 'pt':
      return `${sayInteger(String(day), locale)} de ${name}${said && ` de ${said}`}`;
    default:
      return `${day === 1 ? locale.ordinal(1, 'masculine') : sayInteger(String(day), locale)} ${name}${said && ` ${said}`}`;
  }
}

/** English and German say a year in hundreds: "nineteen eighty-four", "neunzehnhundertvierundachtzig". */
export function sayYear(year: number, locale: SpokenLocale): string {
  const hundreds = Math.floor(year / 100);
  const rest = year % 100;
  if (locale.language === 'en' && year >= 1100 && year < 2100 && (year < 2000 || rest >= 10)) {
    const tail =
      rest === 0 ? 'hundred' : rest < 10 ? `oh ${locale.cardinal(String(rest))}` : locale.cardinal(String(rest));
    return `${locale.cardinal(String(hundreds))} ${tail}`;
  }
  if (locale.language === 'de' && year >= 1100 && year < 2000) {
    return `${locale.cardinal(String(hundreds))}hundert${rest === 0 ? '' : locale.cardinal(String(rest))}`;
  }
  return sayInteger(String(year), locale);
}

/** The month as written in this language: in lower case, unless the language writes capitals. */
function monthNames({ tag, dateOrder }: SpokenLocale, forPattern = true): string[] {
  const format = new Intl.DateTimeFormat(tag, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(new Date(Date.UTC(2000, month, 5)));
    const name = parts.find(({ type }) => type === 'month')?.value ?? '';
    return forPattern && dateOrder === 'day-month' ? name.toLowerCase() : name;
  });
}
