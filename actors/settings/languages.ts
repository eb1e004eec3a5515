/** ISO 639-1 codes that `languageCode` and `change_language` accept (behavior reference, section 18). */
export const LANGUAGE_CODES = [
  'en',
  'af',
  'ar',
  'hy',
  'az',
  'be',
  'bs',
  'bg',
  'ca',
  'zh',
  'hr',
  'cs',
  'da',
  'nl',
  'et',
  'fi',
  'fr',
  'gl',
  'de',
  'el',
  'he',
  'hi',
  'hu',
  'is',
  'id',
  'it',
  'ja',
  'kn',
  'kk',
  'ko',
  'lv',
  'lt',
  'mk',
  'ms',
  'mi',
  'mr',
  'ne',
  'no',
  'fa',
  'pl',
  'pt',
  'ro',
  'ru',
  'sr',
  'sk',
  'sl',
  'es',
  'sw',
  'sv',
  'tl',
  'ta',
  'th',
  'tr',
  'uk',
  'ur',
  'vi',
  'cy',
] as const;

const known = new Set<string>(LANGUAGE_CODES);

/** What the API document says of these codes, as a regular expression: a region may follow. */
export const LANGUAGE_PATTERN = `(?:${LANGUAGE_CODES.join('|')})(?:[-_][A-Za-z0-9]+)*`;

/** @returns the base code ('en-GB' → 'en'), or null when it is not one that Parley knows. */
export function parseLanguageCode(code: string): string | null {
  const base = code.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return known.has(base) ? base : null;
}
