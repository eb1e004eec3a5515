import type { SpokenLocale } from './locale.ts';
import { numberPattern, numericValue, sayCount } from './numbers.ts';
import type { Rule } from './rule.ts';

/** Units that `Intl` has no names for: singular and plural. */
const NAMES: Readonly<Record<string, Readonly<Record<string, readonly [one: string, other: string]>>>> = {
  en: {
    'm²': ['square meter', 'square meters'],
    'km²': ['square kilometer', 'square kilometers'],
    'm³': ['cubic meter', 'cubic meters'],
    'sq ft': ['square foot', 'square feet'],
    mg: ['milligram', 'milligrams'],
    kWh: ['kilowatt hour', 'kilowatt hours'],
    GHz: ['gigahertz', 'gigahertz'],
  },
  de: {
    'm²': ['Quadratmeter', 'Quadratmeter'],
    'km²': ['Quadratkilometer', 'Quadratkilometer'],
    'm³': ['Kubikmeter', 'Kubikmeter'],
    mg: ['Milligramm', 'Milligramm'],
    kWh: ['Kilowattstunde', 'Kilowattstunden'],
    GHz: ['Gigahertz', 'Gigahertz'],
  },
  es: {
    'm²': ['metro cuadrado', 'metros cuadrados'],
    'km²': ['kilómetro cuadrado', 'kilómetros cuadrados'],
    'm³': ['metro cúbico', 'metros cúbicos'],
    mg: ['miligramo', 'miligramos'],
    kWh: ['kilovatio hora', 'kilovatios hora'],
    GHz: ['gigahercio', 'gigahercios'],
  },
  fr: {
    'm²': ['mètre carré', 'mètres carrés'],
    'km²': ['kilomètre carré', 'kilomètres carrés'],
    'm³': ['mètre cube', 'mètres cubes'],
    mg: ['milligramme', 'milligrammes'],
    kWh: ['kilowattheure', 'kilowattheures'],
    GHz: ['gigahertz', 'gigahertz'],
  },
  it: {
    'm²': ['metro quadrato', 'metri quadrati'],
    'km²': ['chilometro quadrato', 'chilometri quadrati'],
    'm³': ['metro cubo', 'metri cubi'],
    mg: ['milligrammo', 'milligrammi'],
    kWh: ['chilowattora', 'chilowattora'],
    GHz: ['gigahertz', 'gigahertz'],
  },
  pt: {
    'm²': ['metro quadrado', 'metros quadrados'],
    'km²': ['quilómetro quadrado', 'quilómetros quadrados'],
    'm³': ['metro cúbico', 'metros cúbicos'],
    mg: ['miligrama', 'miligramas'],
    kWh: ['quilowatt-hora', 'quilowatts-hora'],
    GHz: ['gigahertz', 'gigahertz'],
  },
};

/** A height: 6'2". */
const HEIGHT: Rule = {
  pattern: /(?<![\p{L}\d.,])([3-8])['′’](\d{1,2})(?:["″”]|'')/gu,
  say: ([, feet, inches]) => `${feet} foot ${inches}`,
};

/** Areas and other measures that `Intl` cannot name: "50 m²", "500 mg", "3 kWh". */
export function otherMeasureRules(locale: SpokenLocale): Rule[] {
  const names = NAMES[locale.language]!;
  return [
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\d.,/$€£¥₹])(${numberPattern(locale)})[ \\u00a0\\u202f]?(${Object.keys(names).join('|')})(?![\\p{L}\\d/])`,
        'gu',
      ),
      say: ([, digits, unit]) => {
        const value = numericValue(digits!, locale);
        const gender = unit === 'kWh' && locale.language === 'de' ? 'feminine' : 'masculine';
        return `${sayCount(digits!, gender, locale)} ${names[unit!]![value === 1 ? 0 : 1]}`;
      },
    },
    ...(locale.language === 'en' ? [HEIGHT] : []),
  ];
}
