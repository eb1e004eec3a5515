import { sayYear } from './dates.ts';
import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

const DAYS: Readonly<Record<string, string>> = {
  en: '(?:Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?',
  de: '(?:Mo|Di|Mi|Do|Fr|Sa|So)|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch',
  es: 'lunes|martes|miércoles|jueves|viernes|sábado|domingo',
  fr: 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche',
  it: 'lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica',
  pt: 'segunda|terça|quarta|quinta|sexta|sábado|domingo',
};

/** Ranges of years, times, prices and days: "1999–2003", "9am–5pm", "$5-$10", "9–17 Uhr", "Mon–Fri". */
export function rangeRules(locale: SpokenLocale): Rule[] {
  const to = ` ${locale.words.to} `;
  const day = DAYS[locale.language]!;
  return [
    {
      pattern: /(?<![\p{L}\d.,/–-])((?:1[1-9]|20)\d\d) ?[–-] ?((?:1[1-9]|20)\d\d)(?![\p{L}\d/–-]|[.,]\d)/gu,
      say: ([, from, until]) => `${sayYear(Number(from), locale)}${to}${sayYear(Number(until), locale)}`,
    },
    // The dash alone: the rules for times and prices say what stands beside it.
    {
      pattern: /(?<=\d(?: ?[ap]\.?m\.?|:\d\d| ?[%€$£]| ?°[CF]?| Uhr| ?h))(?<!-\d{1,4}) ?[–-] ?(?=[$€£]?\d)/giu,
      say: () => to,
    },
    { pattern: /(?<=[$€£]\d[\d.,]{0,12}) ?[–-] ?(?=[$€£]?\d)/gu, say: () => to },
    { pattern: /(?<=(?<![\d:–-])\d{1,2})[–-](?=\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|Uhr|h\b))/giu, say: () => to },
    { pattern: new RegExp(`(?<=(?<!\\p{L})(?:${day})\\.?) ?[–-] ?(?=(?:${day})(?!\\p{L}))`, 'gu'), say: () => to },
  ];
}
