import type { LocalVoice } from '../sherpa/local-model.ts';

/** A voice that every installation offers. The control plane lists these beside the voices that a user adds. */
export interface StockVoice {
  /** As the HTTP API spells it. */
  readonly provider: string;
  readonly providerVoiceId: string;
  readonly displayName: string;
  readonly gender: 'male' | 'female' | 'neutral';
  /** ISO 639-1 code that the voice speaks best, or null: any. */
  readonly language: string | null;
  /** ISO 3166-1 alpha-2 of the accent, or null. */
  readonly country: string | null;
  readonly description: string;
}

/** The provider of voices that need none, as the HTTP API spells it. */
export const LOCAL = 'LOCAL';

/**
 * The default first. Speak without an account or network. In another language than their own they hand over to
 * espeak-ng.
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

/** @returns how neural voices of models that are here are offered. */
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
