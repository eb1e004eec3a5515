import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import type { Language } from './language.ts';

/** The languages of the offline LLM by ISO 639-1 code. */
export const LANGUAGES: Readonly<Record<string, Language>> = { en, de, fr, es, it };

/** Names of languages, in the languages above. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  english: 'en',
  englisch: 'en',
  anglais: 'en',
  inglés: 'en',
  inglese: 'en',
  german: 'de',
  deutsch: 'de',
  allemand: 'de',
  alemán: 'de',
  tedesco: 'de',
  french: 'fr',
  französisch: 'fr',
  français: 'fr',
  francés: 'fr',
  francese: 'fr',
  spanish: 'es',
  spanisch: 'es',
  espagnol: 'es',
  español: 'es',
  spagnolo: 'es',
  italian: 'it',
  italienisch: 'it',
  italien: 'it',
  italiano: 'it',
  portuguese: 'pt',
  portugiesisch: 'pt',
  portugais: 'pt',
  portugués: 'pt',
  português: 'pt',
  dutch: 'nl',
  niederländisch: 'nl',
  polish: 'pl',
  polnisch: 'pl',
  russian: 'ru',
  russisch: 'ru',
  turkish: 'tr',
  türkisch: 'tr',
  chinese: 'zh',
  chinesisch: 'zh',
  japanese: 'ja',
  japanisch: 'ja',
  korean: 'ko',
  hindi: 'hi',
  arabic: 'ar',
  arabisch: 'ar',
  swedish: 'sv',
  schwedisch: 'sv',
  danish: 'da',
  norwegian: 'no',
  finnish: 'fi',
  czech: 'cs',
  greek: 'el',
  ukrainian: 'uk',
};

/** Two typical words of one language, and more than of any other, show that it is spoken. */
const MARKS_NEEDED = 2;

/** The language of a text. Null: its words do not show it. */
export function detectLanguage(words: readonly string[]): string | null {
  const languages = Object.entries(LANGUAGES);
  const scores = languages
    .map(([code, { marks }]) => ({ code, score: words.filter((word) => marks.includes(word)).length }))
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scores;
  if (best !== undefined && best.score >= MARKS_NEEDED && best.score > (second?.score ?? 0)) return best.code;
  // A short "Comment ça va ?" is known as a whole. "No" and "hi" belong to several languages and show nothing.
  const heard = words.join(' ');
  const understood = languages
    .filter(([, { hears }]) => Object.values(hears).some((pattern) => pattern.test(heard)))
    .map(([code]) => code);
  return understood.length === 1 ? (understood[0] ?? null) : null;
}
