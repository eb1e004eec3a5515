import { LANGUAGES } from '../language/index.ts';
import type { Language } from '../language/language.ts';
import { wordSpans } from './words.ts';

/** Guesses the language of a text by its function words: articles, pronouns, conjunctions. */

/** Letters of one language. Scripts of several languages are not here: their words tell. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
];
/** A few hundred words tell as much as thousands. */
const MAX_SAMPLE_LENGTH = 2_000;

/** English fillers: everybody writes "Hmm", and "um" is a word of others. */
const FILLER = /^(?:h+m+|u+h?m*|e+r+m*)$/;

let signs: ReadonlyMap<string, ReadonlySet<string>> | null = null;

/**
 * @param text what was written so far.
 * @returns ISO 639-1; null while no language has more of its words in it than every other one.
 */
export function guessLanguage(text: string): string | null {
  const sample = text.slice(0, MAX_SAMPLE_LENGTH);
  const script = scriptLanguage(sample);
  if (script !== null) return script;
  const [best, second] = counts(lowerWords(sample)).toSorted((a, b) => b.hits - a.hits);
  return best !== undefined && best.hits > (second?.hits ?? 0) ? best.language : null;
}

/** @param words in lower case. @returns the language whose function words occur most; English in doubt. */
export function likelyLanguage(words: readonly string[]): string {
  return counts(words).reduce((best, next) => (next.hits > best.hits ? next : best)).language;
}

/** @returns the language of a script that only one language has. */
export function scriptLanguage(text: string): string | null {
  return SCRIPTS.find(([script]) => script.test(text))?.[1] ?? null;
}

export function lowerWords(text: string): string[] {
  return wordSpans(text.replaceAll(/[\u2018\u2019\u02bc]/g, "'")).map((span) =>
    span.text.normalize('NFC').toLowerCase(),
  );
}

/** English first. */
function counts(words: readonly string[]): { readonly language: string; readonly hits: number }[] {
  signs ??= new Map(
    Object.entries(LANGUAGES)
      .filter(([, { openEndings }]) => openEndings !== undefined)
      .map(([code, language]) => [code, signsOf(code, language)]),
  );
  return [...signs].map(([language, known]) => ({
    language,
    hits: words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0),
  }));
}

function signsOf(code: string, { openEndings, frequentWords = [] }: Language): Set<string> {
  const { words = [], phrases = [], opinions = [] } = openEndings ?? {};
  const all = [...words, ...[...phrases, ...opinions].flatMap((phrase) => phrase.split(' ')), ...frequentWords];
  return new Set(all.filter((word) => !(code === 'en' && FILLER.test(word))));
}
