import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pt } from './pt.ts';
import type { Texts } from './texts.ts';

/** By ISO 639-1 code. */
export const LANGUAGES: Readonly<Record<string, Texts>> = { en, de, fr, es, it, pt };

/**
 * The first of the wanted languages that the widget speaks, else English.
 * @param wanted BCP 47, in order of preference: of the element, of the page, of the browser.
 */
export function chooseTexts(wanted: readonly (string | null | undefined)[]): { language: string; texts: Texts } {
  for (const tag of wanted) {
    const language = (tag ?? '').toLowerCase().split('-')[0]!;
    const texts = LANGUAGES[language];
    if (texts !== undefined) return { language, texts };
  }
  return { language: 'en', texts: en };
}
