import type { SpokenLocale } from './locale.ts';
import { numberPattern } from './numbers.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

/** What follows "per", by the way it is written. */
const RATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: pairs(`
    month: month, mo: month, year: year, yr: year, week: week, wk: week, day: day, night: night, hour: hour,
    hr: hour, h: hour, minute: minute, min: minute, second: second, sec: second, person: person, user: user,
    seat: seat, kg: kilogram, dose: dose, page: page, item: item, serving: serving, lb: pound, sq ft: square foot
  `),
  de: pairs(`
    Monat: Monat, Jahr: Jahr, Woche: Woche, Tag: Tag, Nacht: Nacht, Stunde: Stunde, Std: Stunde, h: Stunde,
    Minute: Minute, Person: Person, kg: Kilogramm
  `),
  fr: pairs(`
    mois: mois, an: an, semaine: semaine, jour: jour, nuit: nuit, heure: heure, h: heure, personne: personne,
    kg: kilo
  `),
  es: pairs(`
    mes: mes, año: año, semana: semana, día: día, noche: noche, hora: hora, h: hora, persona: persona,
    kg: kilo
  `),
  it: { mese: 'mese', giorno: 'giorno', kg: 'chilo' },
  pt: pairs(`
    mês: mês, ano: ano, semana: semana, dia: dia, noite: noite, hora: hora, h: hora, pessoa: pessoa,
    kg: quilo
  `),
};
/** Voices say "one slash two", but know these. flite, which is English, knows neither. */
const FRACTIONS: Readonly<Record<string, string>> = { '1/2': '½', '1/4': '¼', '3/4': '¾', '24/7': '24 7' };
const ENGLISH_FRACTIONS = pairs(`
  1/2: one half, 1/4: one quarter, 3/4: three quarters, 1/3: one third, 2/3: two thirds, 1/8: one eighth,
  ½: one half, ¼: one quarter, ¾: three quarters, ⅓: one third, ⅔: two thirds, 4/5: four fifths,
  24/7: twenty-four seven, 9/11: nine eleven, 50/50: fifty fifty
`);

/** What follows "three times", where other languages have other words for it than for a product. */
const OFTEN =
  'an?|per|daily|weekly|monthly|each|every|faster|slower|more|less|as|bigger|larger|cheaper|täglich|wöchentlich|pro|am|im|in der|' +
  'schneller|so|par|plus|al|a la|por|más|ao|à|mais|più';
const TIMES = { es: 'veces', it: 'volte' };

/** Signs between words and numbers: "3-5", "Mon–Fri", "$30/month", "<5", "2 + 2 = 4", "R & D", "3 x 4". */
export function signRules(locale: SpokenLocale): Rule[] {
  const { words, language } = locale;
  const between = (sign: string, word: string): Rule => ({
    pattern: new RegExp(String.raw`(?<=[\p{L}\d.)] )${sign}(?= [\p{L}\d(])`, 'gu'),
    say: () => word,
  });
  const limit = (sign: string, word: string): Rule => ({
    pattern: new RegExp(String.raw`(?<=^|[\s(])${sign}(?=[$€£]?\d)`, 'gu'),
    say: () => `${word} `,
  });
  return [
    ...rangeRules(locale),
    fractionRule(locale),
    rateRule(locale),
    limit('<(?!3(?![\\d.,%]))', words.below),
    limit('>', words.above),
    limit('(?:≤|<=)', words.most),
    limit('(?:≥|>=)', words.least),
    limit('[~≈]', words.about),
    limit('[-−]', words.minus),
    { pattern: /(?<=\d)\+(?= \p{Ll})/gu, say: () => ` ${words.plus}` },
    { pattern: /(?<![\p{L}\d])\+(?=\d)/gu, say: () => `${words.plus} ` },
    { pattern: /(?<![\p{L}\d&])#(?=\d)/gu, say: () => `${words.number} ` },
    between('\\+', words.plus),
    between('=', words.equals),
    between('&', words.and),
    {
      pattern: new RegExp(String.raw`(?<=${numberPattern(locale)})(?:x|×(?=\d{1,4} ?(?:mm|cm|m|ft|in)\b))(?=\d)`, 'gu'),
      say: () => ` ${words.by} `,
    },
    { pattern: /(?<=\d) ?× ?(?=\d)|(?<=\d) x (?=\d)/gu, say: () => ` ${words.times} ` },
    // "3x a day", "2x faster"
    {
      pattern: new RegExp(String.raw`(?<=(?<![\p{L}\d.,])\d{1,3}) ?[x×](?= (?:${OFTEN})(?!\p{L}))`, 'gu'),
      say: () => ` ${language === 'es' || language === 'it' ? TIMES[language] : words.times}`,
    },
    { pattern: /(?<=\p{L})&(?=\p{L})/gu, say: () => ` ${words.and} ` },
    { pattern: / ?(?:→|⇒|->|=>) ?/gu, say: () => ', ' },
  ];
}

/** "3-5", "Mon–Fri". */
function rangeRules({ words, language }: SpokenLocale): Rule[] {
  return [
    // A sum, not a range.
    { pattern: /(?<=\d )[−-](?= \d[\d.,]{0,9} =)/gu, say: () => words.minus },
    {
      // A range ends with no number that begins with 0, and has one dash.
      pattern: new RegExp(
        String.raw`(?<!(?:\d[–-]|\p{L}-?)\d{1,9})(?<=\d(?: ?(?:[ap]\.?m\.?|°[CF]?|[%€$£]|Uhr|h))?) ?[–-] ?` +
          String.raw`(?=[$€£]?(?:[1-9]\d*|0[.,:]\d|0\d:|0(?!\d))(?![\d–-]|[\p{L}]{3}))`,
        'giu',
      ),
      say: () => ` ${words.to} `,
    },
    ...(DAYS[language] === undefined
      ? []
      : [
          {
            pattern: new RegExp(
              `(?<=(?<!\\p{L})(?:${DAYS[language]})\\.?) ?[–-] ?(?=(?:${DAYS[language]})(?!\\p{L}))`,
              'gu',
            ),
            say: () => ` ${words.to} `,
          },
        ]),
  ];
}

/** "1/2", "2 ½". */
function fractionRule({ words, language }: SpokenLocale): Rule {
  const isEnglish = language === 'en';
  return {
    pattern: /(?<![\p{L}\d.,:/$€£-])(?:(\d{1,3}) ?)?((?<!\d)\d{1,3}\/\d{1,3}|[½¼¾⅓⅔])(?![\p{L}\d:/%]|[.,]\d)/gu,
    say: ([, whole, fraction]) => {
      const part = isEnglish
        ? (ENGLISH_FRACTIONS[fraction!] ?? fraction!.replace('/', ' over '))
        : FRACTIONS[fraction!];
      if (part === undefined) return null;
      return whole === undefined ? part : `${whole} ${/\d/.test(part) ? '' : `${words.and} `}${part}`;
    },
  };
}

/** "$30/month". */
function rateRule({ words, language }: SpokenLocale): Rule {
  const rates = RATES[language]!;
  const rate = Object.keys(rates)
    .toSorted((a, b) => b.length - a.length)
    .join('|');
  return {
    pattern: new RegExp(
      String.raw`(?<=[\d$€£¥%] ?|(?<!\p{L})(?:[A-Z]{3}|Euro|euros?|dollars?|times|mg|µg|mcg|ml|mL|kg|km|g|l|L|GB|MB) ?)/ ?(${rate})(?!\p{L})`,
      'gu',
    ),
    say: ([, unit]) => ` ${words.per} ${rates[unit!]}`,
  };
}

const DAYS: Readonly<Record<string, string>> = {
  en: '(?:Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?',
  de: '(?:Mo|Di|Mi|Do|Fr|Sa|So)|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch',
  es: 'lunes|martes|miércoles|jueves|viernes|sábado|domingo',
  fr: 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche',
};
