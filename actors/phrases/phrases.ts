import { en, LANGUAGES } from '../language/index.ts';
import type { StandardSentences } from '../language/language.ts';
import { parseLanguageCode } from '../settings/languages.ts';
import { asInstruction, type ServiceMark } from './service-mark.ts';
import { languageName } from './language-names.ts';

/** What the service says by itself, in the language of the conversation. English where there is no translation. */
export function standardSentence(kind: 'goodbye' | 'apology', language: string | null): string {
  return known(language)[kind];
}

/**
 * A hidden request to the LLM, for `llmMessages({ instruction })`. It is never stored.
 *
 * @param mark that this session's requests begin with.
 * @param language of the conversation: the user's last, else the configured one, else that of the greeting; null when
 * nothing is known, which lets the LLM choose by its system prompt.
 */
export function instruction(kind: 'greet' | 'prompt' | 'result', language: string | null, mark: ServiceMark): string {
  const base = language === null ? null : parseLanguageCode(language);
  if (kind === 'result') return asInstruction(mark, inLanguage(RESULT_INSTRUCTION, base));
  const text = known(base)[kind === 'greet' ? 'greetInstruction' : 'promptInstruction'];
  return asInstruction(mark, base !== null && LANGUAGES[base]?.sentences !== undefined ? text : inLanguage(text, base));
}

/** In English for all languages: nothing of it is spoken, and the LLM answers in the language that it names. */
const RESULT_INSTRUCTION =
  'You were interrupted while a tool was running. It has ended now, and its result is above, at its call. ' +
  'If the user still wants to know it and you have not told it, tell it now in English in one or two short sentences. ' +
  'Otherwise write nothing.';

function inLanguage(text: string, base: string | null): string {
  return text.replace(' in English', base === null ? '' : ` in ${languageName(base)}`);
}

function known(language: string | null): StandardSentences {
  return LANGUAGES[(language === null ? null : parseLanguageCode(language)) ?? 'en']?.sentences ?? en.sentences;
}
