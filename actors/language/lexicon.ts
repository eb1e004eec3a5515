import { LANGUAGES } from './index.ts';
import type { Language } from './language.ts';

type WordList = {
  [Key in keyof Language]-?: NonNullable<Language[Key]> extends readonly string[] ? Key : never;
}[keyof Language];

/** @returns one list of all languages together: for what is said before the language is known. */
export function allWords(name: WordList): ReadonlySet<string> {
  return new Set(Object.values(LANGUAGES).flatMap((language) => language[name] ?? []));
}
