import type { LocalVoice } from '../sherpa/local-model.ts';

/** A built-in voice. The control plane lists these with the voices that a user adds. */
export interface StockVoice {
  /** The spelling of the HTTP API. */
  readonly provider: string;
  readonly providerVoiceId: string;
  readonly displayName: string;
  readonly gender: 'male' | 'female' | 'neutral';
  /** ISO 639-1 code of its best language. Null: any. */
  readonly language: string | null;
  /** ISO 3166-1 alpha-2 of the accent, or null. */
  readonly country: string | null;
  readonly description: string;
}

/** The provider of voices that need no account, in the spelling of the HTTP API. */
export const LOCAL = 'LOCAL';

/**
 * Voices that need no account and no network, the default first. In another language than its own, espeak-ng speaks in
 * its place.
 */
export const LOCAL_VOICES: readonly StockVoice[] = [
  {
    provider: LOCAL,
    providerVoiceId: 'slt',
    displayName: 'Clara',
    gender: 'female',
    language: 'en',
    country: 'US',
    description: 'Calm American English. Offline (flite).',
  },
  {
    provider: LOCAL,
    providerVoiceId: 'rms',
    displayName: 'Russell',
    gender: 'male',
    language: 'en',
    country: 'US',
    description: 'Deep American English. Offline (flite).',
  },
  {
    provider: LOCAL,
    providerVoiceId: 'awb',
    displayName: 'Alan',
    gender: 'male',
    language: 'en',
    country: 'GB',
    description: 'English with a Scottish accent. Offline (flite).',
  },
  {
    provider: LOCAL,
    providerVoiceId: 'kal16',
    displayName: 'Kal',
    gender: 'male',
    language: 'en',
    country: 'US',
    description: 'Plain robotic English, the cheapest to run. Offline (flite).',
  },
  {
    provider: LOCAL,
    providerVoiceId: 'espeak-female',
    displayName: 'Vera',
    gender: 'female',
    language: null,
    country: null,
    description: 'Robotic, some sixty languages. Offline (espeak-ng).',
  },
  {
    provider: LOCAL,
    providerVoiceId: 'espeak-male',
    displayName: 'Otto',
    gender: 'male',
    language: null,
    country: null,
    description: 'Robotic, some sixty languages. Offline (espeak-ng).',
  },
];

/** @returns the entries for the neural voices of installed models. */
export function neuralStockVoices(voices: readonly LocalVoice[]): StockVoice[] {
  return voices.map(({ name, displayName, gender, languages, country }) => ({
    provider: LOCAL,
    providerVoiceId: name,
    displayName,
    gender,
    language: languages[0] ?? null,
    country,
    description: `Neural ${languageNames.of(languages[0] ?? 'en') ?? ''} voice on this machine.`,
  }));
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });
