import { LANGUAGES } from '../language/index.ts';

/** Words that end in a point without ending the sentence, of all languages: a sentence may name foreign people. */
const ALL = Object.values(LANGUAGES).flatMap(({ abbreviations }) => abbreviations ?? []);
const BEFORE_A_NAME = new Set(ALL.flatMap(({ beforeName }) => beforeName ?? []));
const ANYWHERE = new Set(ALL.flatMap(({ anywhere }) => anywhere ?? []));

/** @param word the word before the point. @param continues whether the text continues in lower case. */
export function isAbbreviation(word: string, continues: boolean): boolean {
  const plain = word.toLowerCase();
  if (BEFORE_A_NAME.has(plain)) return true;
  if (ANYWHERE.has(plain)) return continues || plain.length === 1;
  // "J. K. Rowling"; but "so do I." ends.
  if (/^\p{Lu}$/u.test(word)) return word !== 'I';
  // "N.A.T.O. said": capitals with points.
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return continues;
  return false;
}
