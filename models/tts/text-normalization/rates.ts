import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** "per", and what follows it, by the way it is written. */
const RATES: Readonly<Record<string, readonly [per: string, units: Readonly<Record<string, string>>]>> = {
  en: [
    'per',
    {
      month: 'month',
      mo: 'month',
      year: 'year',
      yr: 'year',
      week: 'week',
      wk: 'week',
      day: 'day',
      night: 'night',
      hour: 'hour',
      hr: 'hour',
      h: 'hour',
      minute: 'minute',
      min: 'minute',
      second: 'second',
      sec: 'second',
      person: 'person',
      user: 'user',
      seat: 'seat',
      kg: 'kilogram',
      lb: 'pound',
      'sq ft': 'square foot',
    },
  ],
  de: [
    'pro',
    {
      Monat: 'Monat',
      Jahr: 'Jahr',
      Woche: 'Woche',
      Tag: 'Tag',
      Nacht: 'Nacht',
      Stunde: 'Stunde',
      Std: 'Stunde',
      h: 'Stunde',
      Minute: 'Minute',
      Person: 'Person',
      kg: 'Kilogramm',
    },
  ],
  fr: [
    'par',
    {
      mois: 'mois',
      an: 'an',
      semaine: 'semaine',
      jour: 'jour',
      nuit: 'nuit',
      heure: 'heure',
      h: 'heure',
      personne: 'personne',
      kg: 'kilo',
    },
  ],
  es: [
    'por',
    {
      mes: 'mes',
      año: 'año',
      semana: 'semana',
      día: 'día',
      noche: 'noche',
      hora: 'hora',
      h: 'hora',
      persona: 'persona',
      kg: 'kilo',
    },
  ],
  it: ['al', { mese: 'mese', giorno: 'giorno', kg: 'chilo' }],
  pt: [
    'por',
    {
      mês: 'mês',
      ano: 'ano',
      semana: 'semana',
      dia: 'dia',
      noite: 'noite',
      hora: 'hora',
      h: 'hora',
      pessoa: 'pessoa',
      kg: 'quilo',
    },
  ],
};

/** Rates: "$30/month", "5 €/Stunde", "3 times / week". */
export function rateRules(locale: SpokenLocale): Rule[] {
  const [per, units] = RATES[locale.language]!;
  return [
    {
      pattern: new RegExp(
        `(?<=[\\d$€£¥%] ?|(?<!\\p{L})(?:EUR|USD|GBP|CHF|Euro|euros?|dollars?|times|kg|km|g|l|L|GB|MB) ?)/ ?(${Object.keys(
          units,
        )
          .toSorted((a, b) => b.length - a.length)
          .join('|')})(?!\\p{L})`,
        'gu',
      ),
      say: ([, unit]) => ` ${per} ${units[unit!]}`,
    },
  ];
}
