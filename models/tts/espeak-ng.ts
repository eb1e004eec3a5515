import type { SpeechSynthesizer } from '../ports.ts';
import { paceAndLoudness } from './local-tuning.ts';
import { SynthesisPool } from './synthesis-pool.ts';

/** Languages whose espeak-ng voice has another name than their ISO 639-1 code. */
const VOICE_OF: Readonly<Record<string, string>> = {
  en: 'en-us',
  no: 'nb',
  // The voice 'cmn' reads Chinese syllables as English letters.
  zh: 'cmn-latn-pinyin',
  // espeak-ng has no voice for these. The voice of the closest language is understandable.
  gl: 'pt',
  tl: 'id',
};

/** espeak-ng's name for a language's voice; `female` picks its higher variant. */
export function espeakVoice(language: string, gender: 'male' | 'female' | 'neutral'): string {
  const voice = VOICE_OF[language] ?? language;
  return gender === 'female' ? `${voice}+f3` : voice;
}

/**
 * Robotic but fast speech in about a hundred languages: espeak-ng (GPL-3.0) in a process of its own, started with the first
 * session that speaks so: most services never have one. It reports words and phonemes.
 */
export function createEspeakNg(): SpeechSynthesizer {
  const pool = new SynthesisPool('espeak-ng', new URL('./espeak-process.ts', import.meta.url), 1, 'on demand');
  return {
    name: 'espeak-ng',
    family: 'local',
    synthesize: ({ text, voice, language, tuning }, signal) =>
      pool.speak({ text, voice, language, ...paceAndLoudness(tuning) }, signal),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
