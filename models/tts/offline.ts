import { createEspeakNg, espeakVoice } from './espeak-ng.ts';
import { createFlite } from './flite.ts';
import { ProviderError, type SpeechSynthesizer, type SynthesisRequest } from '../ports.ts';
import { FLITE_VOICES } from './flite-voices.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import { createNeuralVoices } from './neural-voices.ts';
import { LOCAL_VOICES } from './voices.ts';

/**
 * The voices that need no account: neural ones if models were fetched, flite for English, and espeak-ng for all other
 * languages. Takes the voices of `LOCAL_VOICES` and the names of `neural`. If a voice does not have the language, a
 * neural one that has it speaks, or espeak-ng, with the same gender if there is one.
 * @param neural the preferred ones first. @param standsIn whether it speaks only when a TTS service fails: then nothing starts
 * before that. @defaultValue false
 */
export function createOfflineSynthesizer(neural: readonly LocalVoice[] = [], standsIn = false): SpeechSynthesizer {
  const flite = createFlite({ first: standsIn || neural.length > 0 ? 'on demand' : 'ahead' });
  const espeak = createEspeakNg();
  const neuralVoices = createNeuralVoices(neural);
  const inFlite = new Set<string>(FLITE_VOICES);
  /** Who speaks, and with which of its voices. @throws ProviderError when there is no such voice. */
  function speakerOf({ voice: name, language }: Omit<SynthesisRequest, 'text'>): [SpeechSynthesizer, string] {
    const wanted = neural.find((voice) => voice.name === name);
    const plain = LOCAL_VOICES.find(({ providerVoiceId }) => providerVoiceId === name);
    if (wanted?.languages.includes(language)) return [neuralVoices, name];
    if (plain !== undefined && inFlite.has(name) && language === plain.language) return [flite, name];
    const gender = wanted?.gender ?? plain?.gender;
    if (gender === undefined) throw new ProviderError('offline', 'bad-request', `There is no local voice "${name}".`);
    // A persona with a voice of espeak-ng keeps it.
    const able = plain?.language === null ? [] : neural.filter(({ languages }) => languages.includes(language));
    const relative = able.find((voice) => voice.gender === gender) ?? able[0];
    if (relative !== undefined) return [neuralVoices, relative.name];
    return [espeak, espeakVoice(language, gender)];
  }
  return {
    name: 'offline',
    family: 'local',
    synthesize(request, signal) {
      const [speaker, voice] = speakerOf(request);
      return speaker.synthesize({ ...request, voice }, signal);
    },
    warm(request) {
      try {
        const [speaker, voice] = speakerOf(request);
        speaker.warm?.({ ...request, voice });
      } catch {
        // The first sentence says why it cannot be spoken.
      }
    },
    close: async () => {
      await Promise.all([flite.close(), espeak.close(), neuralVoices.close()]);
    },
  };
}
