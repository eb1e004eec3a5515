import type { SpeechSynthesizer } from '../ports.ts';
import { providerOf, type ProviderChoice } from '../provider.ts';
import { cartesia } from './cartesia.ts';
import { elevenLabs } from './elevenlabs.ts';
import { deepgram } from './deepgram.ts';
import { createOfflineSynthesizer } from './offline.ts';
import { openAiCompatible } from './openai-compatible.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import type { TtsProvider } from './tts-provider.ts';
import { sayInWords } from './spoken-form/say-in-words.ts';
import { LOCAL } from './voices.ts';

/**
 * Which TTS is used: every service that an operator can name, the default first. To add one, write its file and its line
 * here. The setting, its documentation, the catalogue of voices and the engine read this list.
 */
export const TTS_PROVIDERS: readonly TtsProvider[] = [openAiCompatible, elevenLabs, cartesia, deepgram];

/** @throws Error when no provider has this id. */
export const ttsProvider = (id: string): TtsProvider => providerOf(TTS_PROVIDERS, id, 'TTS');

/**
 * @param configured services beside the offline voices, each provider once. @param neural voices of models that are here.
 * @returns synthesizers by the name that a voice has for its provider.
 */
export function openSynthesizers(
  configured: readonly ProviderChoice[],
  neural: readonly LocalVoice[] = [],
): Record<string, SpeechSynthesizer> {
  const remote = configured.map((choice) => {
    const provider = ttsProvider(choice.provider);
    return [provider.apiName, sayInWords(provider.open(choice.options))];
  });
  return { [LOCAL]: sayInWords(createOfflineSynthesizer(neural)), ...Object.fromEntries(remote) };
}
