import { createEspeakNg, espeakVoice } from './espeak-ng.ts';
import { createFlite } from './flite.ts';
import { ProviderError, type SpeechSynthesizer } from '../ports.ts';
import { FLITE_VOICES } from './flite-voices.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import { createNeuralVoices } from './neural-voices.ts';
import { LOCAL_VOICES } from './voices.ts';

/**
 * The voices that need no account: neural ones if models were fetched, flite for English, and espeak-ng for all other
 * languages. Takes the voices of `LOCAL_VOICES` and the names of `neural`. If a voice does not have the language, a
 * neural one that has it speaks, or espeak-ng, with the same gender if there is one.
 * @param neural the preferred ones first.
 */
export function createOfflineSynthesizer(neural: readonly LocalVoice[] = []): SpeechSynthesizer {
  const flite = createFlite();
  const espeak = createEspeakNg();
  const neuralVoices = createNeuralVoices(neural);
  const inFlite = new Set<string>(FLITE_VOICES);
  return {
    name: 'offline',
    family: 'local',
    synthesize(request, signal) {
      const { voice: name, language } = request;
      const wanted = neural.find((voice) => voice.name === name);
      const plain = LOCAL_VOICES.find(({ providerVoiceId }) => providerVoiceId === name);
      if (wanted?.languages.includes(language)) return neuralVoices.synthesize(request, signal);
      if (plain !== undefined && inFlite.has(name) && language === plain.language)
        return flite.synthesize(request, signal);
      const gender = wanted?.gender ?? plain?.gender;
      if (gender === undefined) throw new ProviderError('offline', 'bad-request', `There is no local voice "${name}".`);
      // A persona with a voice of espeak-ng keeps it.
      const able = plain?.language === null ? [] : neural.filter(({ languages }) => languages.includes(language));
      const relative = able.find((voice) => voice.gender === gender) ?? able[0];
      if (relative !== undefined) return neuralVoices.synthesize({ ...request, voice: relative.name }, signal);
      return espeak.synthesize({ ...request, voice: espeakVoice(language, gender) }, signal);
    },
    close: async () => {
      await Promise.all([flite.close(), espeak.close(), neuralVoices.close()]);
    },
  };
}
