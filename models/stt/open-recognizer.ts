import type { SpeechRecognizer } from '../ports.ts';
import { createOpenAiCompatibleRecognizer } from './openai-compatible.ts';
import type { OpenAiCompatibleRecognizerSettings } from './openai-compatible.ts';
import { createPocketSphinx } from './pocketsphinx.ts';
import type { PocketSphinxSettings } from './pocketsphinx.ts';

/** Which recognizer is used, as plain data: it is opened in the audio-in worker. */
export type RecognizerSettings =
  | ({ readonly provider: 'pocketsphinx' } & PocketSphinxSettings)
  | ({ readonly provider: 'openai-compatible' } & OpenAiCompatibleRecognizerSettings)
  | RecognizerModule;

/** A recognizer that is none of the providers. Tests and benches bring theirs this way. */
export interface RecognizerModule {
  readonly provider: 'module';
  /** URL of a module that exports `openRecognizer(options): SpeechRecognizer`. It is code: never of a user. */
  readonly url: string;
  /** Plain data for it. */
  readonly options: unknown;
}

/**
 * @param warn told of what does not end a recognizer but should be known. Never content.
 * @throws what the module throws when it cannot be loaded.
 */
export async function openRecognizer(
  settings: RecognizerSettings,
  warn: (message: string) => void = () => {},
): Promise<SpeechRecognizer> {
  switch (settings.provider) {
    case 'pocketsphinx':
      return createPocketSphinx(settings, warn);
    case 'openai-compatible':
      return createOpenAiCompatibleRecognizer(settings);
    case 'module': {
      const module = (await import(settings.url)) as { openRecognizer(options: unknown): SpeechRecognizer };
      return module.openRecognizer(settings.options);
    }
  }
}
