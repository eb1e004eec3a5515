import type { SpeechRecognizer } from '../ports.ts';
import { createOpenAiCompatibleRecognizer } from './openai-compatible.ts';
import type { OpenAiCompatibleRecognizerSettings } from './openai-compatible.ts';
import { createPocketSphinx } from './pocketsphinx.ts';
import type { PocketSphinxSettings } from './pocketsphinx.ts';

/** Which recogniser is used, as plain data: it is opened in the hearing worker. */
export type RecognizerSettings =
  | ({ readonly provider: 'pocketsphinx' } & PocketSphinxSettings)
  | ({ readonly provider: 'openai-compatible' } & OpenAiCompatibleRecognizerSettings);

export function openRecognizer(settings: RecognizerSettings): SpeechRecognizer {
  return settings.provider === 'pocketsphinx' ? createPocketSphinx(settings) : createOpenAiCompatibleRecognizer(settings);
}
