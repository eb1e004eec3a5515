import { describe, expect, it } from 'vitest';
import { FLITE_VOICES } from './flite-voices.ts';
import { TTS_PROVIDERS } from './registry.ts';
import { LOCAL_VOICES } from './voices.ts';

describe('stock voices', () => {
  it('have names of their own', () => {
    const keys = [...LOCAL_VOICES, ...TTS_PROVIDERS.flatMap(({ stockVoices }) => stockVoices)].map(
      ({ provider, providerVoiceId }) => `${provider}/${providerVoiceId}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
  it('hold every English voice of flite, and begin with the default', () => {
    const ids = LOCAL_VOICES.map(({ providerVoiceId }) => providerVoiceId);
    expect(ids).toEqual(expect.arrayContaining([...FLITE_VOICES]));
    expect(ids[0]).toBe('slt');
  });
});
