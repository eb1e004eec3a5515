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
  return offered.toSorted((a, b) => likeness(b) - likeness(a))[0]?.providerVoiceId ?? null;
}
