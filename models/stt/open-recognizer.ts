import { createFakeRecognizer, type FakeRecognizerOptions } from '../fakes/fake-recognizer.ts';
import { createPromptedRecognizer, type PromptedRecognizerOptions } from '../fakes/prompted-recognizer.ts';
import type { SpeechRecognizer } from '../ports.ts';
import { createOpenAiCompatibleRecognizer } from './openai-compatible.ts';
import type { OpenAiCompatibleRecognizerSettings } from './openai-compatible.ts';
import { createPocketSphinx } from './pocketsphinx.ts';
import type { PocketSphinxSettings } from './pocketsphinx.ts';

/** Which recognizer is used, as plain data: it is opened in the audio-in worker. */
export type RecognizerSettings =
  | ({ readonly provider: 'pocketsphinx' } & PocketSphinxSettings)
  | ({ readonly provider: 'openai-compatible' } & OpenAiCompatibleRecognizerSettings)
  /** For benches, where the delay of recognition is declared. */
  | ({ readonly provider: 'fake' } & FakeRecognizerOptions)
  | ({ readonly provider: 'prompted' } & PromptedRecognizerOptions);

/** @param warn told of what does not end a recognizer but should be known. Never content. */
export function openRecognizer(
  settings: RecognizerSettings,
  warn: (message: string) => void = () => {},
): SpeechRecognizer {
  switch (settings.provider) {
    case 'pocketsphinx':
      return createPocketSphinx(settings, warn);
    case 'openai-compatible':
      return createOpenAiCompatibleRecognizer(settings);
    case 'fake':
      return createFakeRecognizer(settings);
    case 'prompted':
      return createPromptedRecognizer(settings);
  }
}
