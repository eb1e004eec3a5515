import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Below, above, at most, at least. */
const WORDS: Readonly<Record<string, readonly [below: string, above: string, most: string, least: string]>> = {
  en: ['less than', 'more than', 'at most', 'at least'],
  de: ['unter', 'über', 'höchstens', 'mindestens'],
  es: ['menos de', 'más de', 'como máximo', 'al menos'],
  fr: ['moins de', 'plus de', 'au plus', 'au moins'],
  it: ['meno di', 'più di', 'al massimo', 'almeno'],
  pt: ['menos de', 'mais de', 'no máximo', 'pelo menos'],
};

/** Limits: "<5 minutes", ">100 users", "≥18", "5+ years". A heart ("<3") is none. */
export function limitRules(locale: SpokenLocale): Rule[] {
  const [below, above, most, least] = WORDS[locale.language]!;
  const before = (sign: string, word: string): Rule => ({
    pattern: new RegExp(`(?<=^|[\\s(])${sign}(?=[$€£]?\\d)`, 'gu'),
    say: () => `${word} `,
  });
  return [
    before('<(?!3(?![\\d.,%]))', below),
    before('>', above),
    before('(?:≤|<=)', most),
    before('(?:≥|>=)', least),
    { pattern: /(?<=\d)\+(?= \p{Ll})/gu, say: () => ` ${locale.words.plus}` },
  ];
}
