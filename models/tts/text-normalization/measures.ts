import type { SpokenLocale } from './locale.ts';
import { count, numberPattern, numericValue, sayNumber } from './numbers.ts';
import { pairs } from './pairs.ts';
import type { Rule } from './rule.ts';

/** Units behind a number, and their names in `Intl`. */
const UNITS: Readonly<Record<string, string>> = pairs(`
    km/h: kilometer-per-hour, mi/h: mile-per-hour, m/s: meter-per-second, mph: mile-per-hour, MB/s: megabyte-per-second,
    kB/s: kilobyte-per-second, GB/s: gigabyte-per-second, Mbit/s: megabit-per-second,
    Mbps: megabit-per-second, Gbps: gigabit-per-second, Gbit/s: gigabit-per-second, mpg: mile-per-gallon,
    °C: celsius, °F: fahrenheit, °: degree, %: percent, km: kilometer, m: meter, cm: centimeter,
    mm: millimeter, mi: mile, ft: foot, yd: yard, kg: kilogram, g: gram, lbs: pound, lb: pound, oz: ounce,
    ml: milliliter, mL: milliliter, l: liter, L: liter, ha: hectare, kB: kilobyte, KB: kilobyte, MB: megabyte,
    GB: gigabyte, TB: terabyte, ms: millisecond, min: minute, h: hour, hrs: hour, hr: hour, s: second,
    sec: second
  `);

/** Names that `Intl` does not have, in the order of `LANGUAGES`; in brackets the ending of the plural. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'pt'];
const OTHER_UNITS: Readonly<Record<string, string>> = {
  W: 'watt(s)|Watt|vatio(s)|watt(s)|watt|watt(s)',
  kW: 'kilowatt(s)|Kilowatt|kilovatio(s)|kilowatt(s)|chilowatt|quilowatt(s)',
  MW: 'megawatt(s)|Megawatt|megavatio(s)|mégawatt(s)|megawatt|megawatt(s)',
  kWh: 'kilowatt hour(s)|Kilowattstunde(n)|kilovatio(s) hora|kilowattheure(s)|chilowattora|quilowatt(s)-hora',
  V: 'volt(s)|Volt|voltio(s)|volt(s)|volt|volt(s)',
  mAh: 'milliamp hour(s)|Milliamperestunde(n)|miliamperio(s) hora|milliampère(s) heure|milliampere ora|miliampere(s) hora',
  Hz: 'hertz|Hertz|hercio(s)|hertz|hertz|hertz',
  kHz: 'kilohertz|Kilohertz|kilohercio(s)|kilohertz|chilohertz|quilohertz',
  MHz: 'megahertz|Megahertz|megahercio(s)|mégahertz|megahertz|megahertz',
  GHz: 'gigahertz|Gigahertz|gigahercio(s)|gigahertz|gigahertz|gigahertz',
  dB: 'decibel(s)|Dezibel|decibelio(s)|décibel(s)|decibel|decibel(s)',
  rpm: 'revolutions per minute|Umdrehungen pro Minute|revoluciones por minuto|tours par minute|giri al minuto|rotações por minuto',
  mg: 'milligram(s)|Milligramm|miligramo(s)|milligramme(s)|milligrammi|miligrama(s)',
  'mg/dL':
    'milligrams per deciliter|Milligramm pro Deziliter|miligramos por decilitro|milligrammes par décilitre|milligrammi per decilitro|miligramas por decilitro',
  µg: 'microgram(s)|Mikrogramm|microgramo(s)|microgramme(s)|microgrammi|micrograma(s)',
  kcal: 'kilocalories|Kilokalorien|kilocalorías|kilocalories|chilocalorie|quilocalorias',
  'm²': 'square meter(s)|Quadratmeter|metro(s) cuadrado(s)|mètre(s) carré(s)|metri quadrati|metro(s) quadrado(s)',
  'km²':
    'square kilometer(s)|Quadratkilometer|kilómetro(s) cuadrado(s)|kilomètre(s) carré(s)|chilometri quadrati|quilómetro(s) quadrado(s)',
  'm³': 'cubic meter(s)|Kubikmeter|metro(s) cúbico(s)|mètre(s) cube(s)|metri cubi|metro(s) cúbico(s)',
  'sq ft': 'square feet',
  psi: 'pounds per square inch',
  tbsp: 'tablespoon(s)',
  tsp: 'teaspoon(s)',
  mmHg: 'millimeters of mercury|Millimeter Quecksilber|milímetros de mercurio|millimètres de mercure|millimetri di mercurio|milímetros de mercúrio',
};
const ALIASES: Readonly<Record<string, string>> = {
  m2: 'm²',
  km2: 'km²',
  m3: 'm³',
  'mg/dl': 'mg/dL',
  RPM: 'rpm',
  ºC: '°C',
  ºF: '°F',
  μg: 'µg',
  mcg: 'µg',
};

/** Measures: "5 km/h", "-3 °C", "20 %", "20–25 kg", "512GB", "1h 30m". */
export function measureRules(locale: SpokenLocale): Rule[] {
  const number = numberPattern(locale);
  const units = [...Object.keys(UNITS), ...Object.keys(ALIASES), ...Object.keys(OTHER_UNITS)];
  const unit = units.toSorted((a, b) => b.length - a.length).join('|');
  const { words } = locale;
  const say = (digits: string, unit: string, isSingular = false): string => {
    const name = (value: number): string => unitName(value, unit, locale);
    return `${count(digits, name(1), locale)} ${name(isSingular ? 1 : numericValue(digits, locale))}`;
  };
  return [
    {
      // Durations: here "m" means minutes.
      pattern: /(?<![\p{L}\d.,:/])(?:(\d{1,3}) ?h ?)?(\d{1,2}) ?m(?:in)?(?: ?(\d{1,2}) ?s(?:ec)?)?(?![\p{L}\d])/gu,
      say: ([, hours, minutes, seconds]) =>
        hours === undefined && seconds === undefined
          ? null
          : [
              [hours, 'h'],
              [minutes, 'min'],
              [seconds, 's'],
            ]
              .flatMap(([digits, unit]) => (digits === undefined ? [] : [say(digits, unit!)]))
              .join(' '),
    },
    {
      pattern: new RegExp(
        // Without a space and a decimal, "s" is a plural: "747s". An apostrophe is no sign: "it's 5 m".
        String.raw`(?:(?<=\d[x×])|(?<![\p{L}\d.,/:$€£¥₹]|\d[-–]))([-−+]?)(?:(${number}) ?[–-] ?)?(${number})(?!(?<![.,]\d+)s(?!\p{L}))([ -]|[\u00a0\u202f])?(${unit})(?![\p{L}\d²³]|/(?!\p{Ll}{3})|-\p{L})(?=( [A-Z]{2,})?)`,
        'gu',
      ),
      say: ([, sign, from, digits, gap, unit, noun]) => {
        if (gap === '-' && unit!.length < 2) return null;
        // "a 512GB SSD"
        const isSingular = locale.language === 'en' && (gap === '-' || noun !== undefined);
        const signed = sign === '' ? '' : `${sign === '+' ? words.plus : words.minus} `;
        return `${signed}${from === undefined ? '' : `${sayNumber(from, locale)} ${words.to} `}${say(digits!, unit!, isSingular)}`;
      },
    },
  ];
}

function unitName(value: number, written: string, { tag, language }: SpokenLocale): string {
  const unit = ALIASES[written] ?? written;
  const names = OTHER_UNITS[unit]?.split('|');
  if (names !== undefined) {
    const name = names[LANGUAGES.indexOf(language)] ?? names[0]!;
    return name.replaceAll(/\((\w+)\)/g, value === 1 ? '' : '$1');
  }
  return new Intl.NumberFormat(tag, { style: 'unit', unit: UNITS[unit]!, unitDisplay: 'long' })
    .formatToParts(value)
    .filter(({ type }) => type === 'unit' || type === 'percentSign')
    .map(({ value }) => value.trim())
    .join(' ');
}
