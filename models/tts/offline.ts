import { createEspeakNg, espeakVoice } from './espeak-ng.ts';
import { createFlite } from './flite.ts';
import { ProviderError, type SpeechSynthesizer } from '../ports.ts';
import { FLITE_VOICES } from './flite-voices.ts';
import { LOCAL_VOICES } from './voices.ts';

/**
 * The default voice of an installation without any account: flite for English, espeak-ng for everything else. Takes
 * the voices of `LOCAL_VOICES`; in a language that a voice does not have, espeak-ng speaks with the same gender.
 */
export function createOfflineSynthesizer(): SpeechSynthesizer {
  const flite = createFlite();
  const espeak = createEspeakNg();
  const inFlite = new Set<string>(FLITE_VOICES);
  return {
    name: 'offline',
    family: 'local',
    synthesize(request, signal) {
      const voice = LOCAL_VOICES.find(({ providerVoiceId }) => providerVoiceId === request.voice);
      if (!voice) throw new ProviderError('offline', 'bad-request', `There is no local voice "${request.voice}".`);
      if (inFlite.has(voice.providerVoiceId) && request.language === voice.language)
        return flite.synthesize(request, signal);
      return espeak.synthesize({ ...request, voice: espeakVoice(request.language, voice.gender) }, signal);
    },
    close: async () => {
      await Promise.all([flite.close(), espeak.close()]);
    },
  };
}
