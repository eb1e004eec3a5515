import type { StockVoice } from './voices.ts';

/** Null: unknown, or any language. */
export interface VoiceTraits extends Pick<StockVoice, 'providerVoiceId' | 'language'> {
  readonly gender: StockVoice['gender'] | null;
}

/**
 * @param wanted the voice that cannot speak, as far as it is known. @param offered voices of the next provider, the
 * preferred ones first. @returns the one with the same name, else one for the language, else one of the same gender.
 * Null when none is offered.
 */
export function similarVoice(
  wanted: { readonly name: string; readonly gender: StockVoice['gender'] | null },
  language: string,
  offered: readonly VoiceTraits[],
): string | null {
  const likeness = (voice: VoiceTraits): number =>
    (voice.providerVoiceId === wanted.name ? 8 : 0) +
    (voice.language === language ? 4 : voice.language === null ? 2 : 0) +
    (wanted.gender !== null && voice.gender === wanted.gender ? 1 : 0);
  // One pass: an account may offer two thousand, and every sentence is prepared for a failure.
  let best: VoiceTraits | null = null;
  for (const voice of offered) if (best === null || likeness(voice) > likeness(best)) best = voice;
  return best?.providerVoiceId ?? null;
}
