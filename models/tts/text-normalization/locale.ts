import { toCardinal as english, toOrdinal as englishOrdinal } from 'n2words/en-US';
import { toCardinal as french, toOrdinal as frenchOrdinal } from 'n2words/fr-FR';
import { toCardinal as german, toOrdinal as germanOrdinal } from 'n2words/de-DE';
import { toCardinal as italian, toOrdinal as italianOrdinal } from 'n2words/it-IT';
import { toCardinal as portuguese, toOrdinal as portugueseOrdinal } from 'n2words/pt-PT';
import { toCardinal as spanish, toOrdinal as spanishOrdinal } from 'n2words/es-ES';

export type Gender = 'masculine' | 'feminine';

/** How one language says digits and signs. Names of units, months and currencies come from `Intl`. */
export interface SpokenLocale {
  /** ISO 639-1. */
  readonly language: string;
  /** BCP 47, for `Intl`. */
  readonly tag: string;
  readonly decimalMark: '.' | ',';
  /** Characters between groups of three digits, for a class of a regular expression. */
  readonly groupMark: string;
  /** Whether `3/4` is March 4 or April 3. */
  readonly dateOrder: 'month-day' | 'day-month';
  readonly cardinal: (integer: string) => string;
  /** The form before a noun, if it differs from `cardinal` for other numbers than one. */
  readonly counted?: (integer: string, gender: Gender) => string;
  /** Numbers whose form depends on the noun behind them. They stay digits: the voice knows the noun. */
  readonly agreeing: RegExp;
  readonly ordinal: (integer: number, gender: Gender) => string;
  /** "one" before a noun of each gender. */
  readonly one: Readonly<Record<Gender, string>>;
  /** Nouns of units, in the singular, that are feminine. All others are masculine or neuter. */
  readonly feminineUnits: RegExp;
  readonly words: {
    readonly decimal: string;
    readonly minus: string;
    readonly plus: string;
    readonly equals: string;
    readonly times: string;
    readonly and: string;
    readonly to: string;
    readonly about: string;
    readonly number: string;
    readonly dot: string;
    readonly at: string;
    readonly dash: string;
    readonly underscore: string;
    readonly slash: string;
    /** Between an amount and its hundredths: "twelve euros *and* fifty". */
    readonly hundredths: string;
    readonly half: string;
    readonly quarter: string;
    readonly threeQuarters: string;
  };
}

const NEVER = /(?!)/;

/** Italian and Portuguese: each word of an ordinal ends in -o or -a. */
const feminineOf = (ordinal: string, gender: Gender): string =>
  gender === 'feminine' ? ordinal.replaceAll(/o(?= |$)/g, 'a') : ordinal;

const LOCALES: readonly SpokenLocale[] = [
  {
    language: 'en',
    tag: 'en-US',
    decimalMark: '.',
    groupMark: ',',
    dateOrder: 'month-day',
    cardinal: english,
    agreeing: NEVER,
    ordinal: englishOrdinal,
    one: { masculine: 'one', feminine: 'one' },
    feminineUnits: NEVER,
    words: {
      decimal: 'point',
      minus: 'minus',
      plus: 'plus',
      equals: 'equals',
      times: 'times',
      and: 'and',
      to: 'to',
      about: 'about',
      number: 'number',
      dot: 'dot',
      at: 'at',
      dash: 'dash',
      underscore: 'underscore',
      slash: 'slash',
      hundredths: 'and',
      half: 'one half',
      quarter: 'one quarter',
      threeQuarters: 'three quarters',
    },
  },
  {
    language: 'de',
    tag: 'de-DE',
    decimalMark: ',',
    groupMark: '.',
    dateOrder: 'day-month',
    cardinal: german,
    agreeing: /^1$/,
    ordinal: germanOrdinal,
    one: { masculine: 'ein', feminine: 'eine' },
    feminineUnits: /stunde|minute|sekunde|meile|unze|woche/i,
    words: {
      decimal: 'Komma',
      minus: 'minus',
      plus: 'plus',
      equals: 'gleich',
      times: 'mal',
      and: 'und',
      to: 'bis',
      about: 'etwa',
      number: 'Nummer',
      dot: 'Punkt',
      at: 'at',
      dash: 'Bindestrich',
      underscore: 'Unterstrich',
      slash: 'Schrägstrich',
      hundredths: '',
      half: 'ein halb',
      quarter: 'ein Viertel',
      threeQuarters: 'drei Viertel',
    },
  },
  {
    language: 'es',
    tag: 'es-ES',
    decimalMark: ',',
    groupMark: '.',
    dateOrder: 'day-month',
    cardinal: spanish,
    counted: (integer, gender) =>
      gender === 'feminine'
        ? spanish(integer, { gender })
        : spanish(integer)
            .replace(/veintiuno$/, 'veintiún')
            .replace(/uno$/, 'un'),
    agreeing: /(?:^|[^1])1$/,
    ordinal: (integer, gender) => spanishOrdinal(integer, { gender }),
    one: { masculine: 'un', feminine: 'una' },
    feminineUnits: /hora|milla|libra|onza|semana/i,
    words: {
      decimal: 'coma',
      minus: 'menos',
      plus: 'más',
      equals: 'igual a',
      times: 'por',
      and: 'y',
      to: 'a',
      about: 'unos',
      number: 'número',
      dot: 'punto',
      at: 'arroba',
      dash: 'guion',
      underscore: 'guion bajo',
      slash: 'barra',
      hundredths: 'con',
      half: 'un medio',
      quarter: 'un cuarto',
      threeQuarters: 'tres cuartos',
    },
  },
  {
    language: 'fr',
    tag: 'fr-FR',
    decimalMark: ',',
    groupMark: '\u00a0\u202f ',
    dateOrder: 'day-month',
    cardinal: french,
    agreeing: /^1$/,
    ordinal: (integer, gender) => (integer === 1 && gender === 'feminine' ? 'première' : frenchOrdinal(integer)),
    one: { masculine: 'un', feminine: 'une' },
    feminineUnits: /heure|minute|seconde|livre|once|semaine/i,
    words: {
      decimal: 'virgule',
      minus: 'moins',
      plus: 'plus',
      equals: 'égale',
      times: 'fois',
      and: 'et',
      to: 'à',
      about: 'environ',
      number: 'numéro',
      dot: 'point',
      at: 'arobase',
      dash: 'tiret',
      underscore: 'tiret bas',
      slash: 'barre oblique',
      hundredths: '',
      half: 'un demi',
      quarter: 'un quart',
      threeQuarters: 'trois quarts',
    },
  },
  {
    language: 'it',
    tag: 'it-IT',
    decimalMark: ',',
    groupMark: '.',
    dateOrder: 'day-month',
    cardinal: italian,
    agreeing: /^1$/,
    ordinal: (integer, gender) => feminineOf(italianOrdinal(integer), gender),
    one: { masculine: 'un', feminine: 'una' },
    feminineUnits: /\bora\b|libbra|oncia|settimana/i,
    words: {
      decimal: 'virgola',
      minus: 'meno',
      plus: 'più',
      equals: 'uguale',
      times: 'per',
      and: 'e',
      to: 'a',
      about: 'circa',
      number: 'numero',
      dot: 'punto',
      at: 'chiocciola',
      dash: 'trattino',
      underscore: 'trattino basso',
      slash: 'barra',
      hundredths: 'e',
      half: 'un mezzo',
      quarter: 'un quarto',
      threeQuarters: 'tre quarti',
    },
  },
  {
    language: 'pt',
    tag: 'pt-PT',
    decimalMark: ',',
    groupMark: '.',
    dateOrder: 'day-month',
    cardinal: portuguese,
    agreeing: /(?:^|[^1])[12]$/,
    ordinal: (integer, gender) => feminineOf(portugueseOrdinal(integer), gender),
    one: { masculine: 'um', feminine: 'uma' },
    feminineUnits: /hora|milha|libra|onça|semana/i,
    words: {
      decimal: 'vírgula',
      minus: 'menos',
      plus: 'mais',
      equals: 'igual a',
      times: 'vezes',
      and: 'e',
      to: 'a',
      about: 'cerca de',
      number: 'número',
      dot: 'ponto',
      at: 'arroba',
      dash: 'hífen',
      underscore: 'sublinhado',
      slash: 'barra',
      hundredths: 'e',
      half: 'meio',
      quarter: 'um quarto',
      threeQuarters: 'três quartos',
    },
  },
];

/** @param language ISO 639-1. @returns null for a language without rules. */
export function spokenLocale(language: string): SpokenLocale | null {
  return LOCALES.find((locale) => locale.language === language) ?? null;
}
