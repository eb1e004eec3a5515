/** How one language says signs. Names of units, months and currencies come from `Intl`; numbers are the voice's. */
export interface SpokenLocale {
  /** ISO 639-1. */
  readonly language: string;
  /** BCP 47, for `Intl`. */
  readonly tag: string;
  readonly decimalMark: '.' | ',';
  /** "one" before a noun: masculine or neuter, and feminine. Null: the language has one form. */
  readonly one: readonly [masculine: string, feminine: string] | null;
  /** Nouns of units, in the singular, that are feminine. */
  readonly feminineUnits: RegExp;
  readonly words: Readonly<Record<SignWord, string>>;
}

const SIGN_WORDS = [
  ...(['minus', 'plus', 'equals', 'times', 'by', 'and', 'to', 'about', 'number', 'per'] as const),
  ...(['dot', 'at', 'dash', 'underscore', 'slash', 'hundredths', 'below', 'above', 'most', 'least'] as const),
];
type SignWord = (typeof SIGN_WORDS)[number];

/** @param words in the order of `SIGN_WORDS`, with commas between. */
function locale(tag: string, one: SpokenLocale['one'], feminineUnits: RegExp, words: string): SpokenLocale {
  const said = words.split(',').map((word) => word.trim());
  return {
    language: tag.slice(0, 2),
    tag,
    decimalMark: tag === 'en-US' ? '.' : ',',
    one,
    feminineUnits,
    words: Object.fromEntries(SIGN_WORDS.map((sign, at) => [sign, said[at]!])) as Record<SignWord, string>,
  };
}

const LOCALES: readonly SpokenLocale[] = [
  locale(
    'en-US',
    null,
    /(?!)/,
    `minus, plus, equals, times, by, and, to, about, number, per,
    dot, at, dash, underscore, slash, and, less than, more than, at most, at least`,
  ),
  locale(
    'de-DE',
    ['ein', 'eine'],
    /stunde|minute|sekunde|meile|unze|woche/i,
    `minus, plus, gleich, mal, mal, und, bis, etwa, Nummer, pro,
    Punkt, at, Bindestrich, Unterstrich, Schrägstrich, , unter, über, höchstens, mindestens`,
  ),
  locale(
    'es-ES',
    ['un', 'una'],
    /hora|milla|libra|onza|semana|corona/i,
    `menos, más, igual a, por, por, y, a, unos, número, por,
    punto, arroba, guion, guion bajo, barra, con, menos de, más de, como máximo, al menos`,
  ),
  locale(
    'fr-FR',
    ['un', 'une'],
    /heure|minute|seconde|livre|once|semaine|couronne/i,
    `moins, plus, égale, fois, sur, et, à, environ, numéro, par,
    point, arobase, tiret, tiret bas, barre oblique, , moins de, plus de, au plus, au moins`,
  ),
  locale(
    'it-IT',
    ['un', 'una'],
    /\bora\b|libbra|oncia|settimana|sterlin|corona/i,
    `meno, più, uguale, per, per, e, a, circa, numero, al,
    punto, chiocciola, trattino, trattino basso, barra, e, meno di, più di, al massimo, almeno`,
  ),
  locale(
    'pt-PT',
    ['um', 'uma'],
    /hora|milha|libra|onça|semana|coroa/i,
    `menos, mais, igual a, vezes, por, e, a, cerca de, número, por,
    ponto, arroba, hífen, sublinhado, barra, e, menos de, mais de, no máximo, pelo menos`,
  ),
];

/** @param language ISO 639-1. @returns null for a language without rules. */
export function spokenLocale(language: string): SpokenLocale | null {
  return LOCALES.find((locale) => locale.language === language) ?? null;
}
