import { languageName } from '../phrases/language-names.ts';
import type { SessionConfig } from '../session-config.ts';

/** ISO 639-1 codes, or 'any'. */
export type Languages = readonly string[] | 'any';

/** In which languages a session hears and speaks. */
export interface SessionLanguages {
  /** What the recognizers understand. */
  readonly recognized: Languages;
  /** What the voice speaks. */
  readonly spoken: Languages;
}

/** @returns what the control plane knows of the recognizers and the voice; 'any' where it knows nothing. */
export function sessionLanguages({
  recognizedLanguages = 'any',
  voice,
}: Pick<SessionConfig, 'recognizedLanguages' | 'voice'>): SessionLanguages {
  return { recognized: recognizedLanguages, spoken: voice.languages ?? 'any' };
}

export function includesLanguage(languages: Languages, code: string): boolean {
  return languages === 'any' || languages.includes(code);
}

/** @returns "English, German and French". */
export function languageNames(codes: readonly string[]): string {
  return list.format(codes.map(languageName));
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });
