import { describe, expect, it, vi } from 'vitest';
import type { RunningEngine } from '../../engine/index.ts';
import { readSettings } from '../../control/index.ts';
import { stockCatalogue } from './catalogue.ts';

describe("the stock faces' images", () => {
  it('are rendered once for each shape, since every list of faces asks for all of them', async () => {
    const renderPoster = vi.fn(async () => new Uint8Array([1]));
    const face = stockCatalogue(readSettings({}), { renderPoster } as unknown as RunningEngine).avatars[0]!;
    await Promise.all([face.image('square'), face.image('square'), face.image('portrait')]);
    expect((await face.image('square'))?.contentType).toBe('image/jpeg');
    expect(renderPoster.mock.calls).toEqual([
      [face.engineKey, 720, 480],
      [face.engineKey, 768, 1152],
    ]);
  });

  it('are tried again after a failure', async () => {
    const renderPoster = vi
      .fn<() => Promise<Uint8Array>>()
      .mockRejectedValueOnce(new Error('no room'))
      .mockResolvedValue(new Uint8Array([2]));
    const face = stockCatalogue(readSettings({}), { renderPoster } as unknown as RunningEngine).avatars[0]!;
    await expect(face.image('square')).rejects.toThrow('no room');
    expect((await face.image('square'))?.bytes).toEqual(new Uint8Array([2]));
  });
});

describe('the default voice', () => {
  const defaultVoice = (environment: Record<string, string>) => {
    const { voices, defaultVoiceId } = stockCatalogue(readSettings(environment), {} as RunningEngine);
    return voices.find(({ id }) => id === defaultVoiceId);
  };
  const twoServices = {
    PARLEY_TTS_PROVIDER: 'cartesia',
    PARLEY_TTS_API_KEY: 'key',
    PARLEY_TTS_OPENAI_API_KEY: 'key',
    PARLEY_TTS_VOICES: 'mine,other',
  };

  it('is an offline one without a service', () => {
    expect(defaultVoice({})).toMatchObject({ provider: 'LOCAL', providerVoiceId: 'slt' });
  });

  it('is the first one of the first service', () => {
    expect(defaultVoice(twoServices)).toMatchObject({ provider: 'CARTESIA', providerVoiceId: 'mine' });
    expect(defaultVoice({ PARLEY_TTS_API_KEY: 'key' })).toMatchObject({ provider: 'OPENAI', providerVoiceId: 'alloy' });
  });

  it('stands beside the voices of the other services', () => {
    const { voices } = stockCatalogue(readSettings(twoServices), {} as RunningEngine);
    expect(new Set(voices.map(({ provider, family }) => `${provider} ${family}`))).toEqual(
      new Set(['CARTESIA cartesia', 'OPENAI local', 'LOCAL local']),
    );
  });
});

describe('what keeps nothing', () => {
  const service = {
    PARLEY_LLM_BASE_URL: 'https://llm.example.com/v1',
    PARLEY_LLM_MODEL: 'house',
    PARLEY_LLM_FALLBACK_PROVIDER: 'anthropic',
    PARLEY_LLM_FALLBACK_MODEL: 'claude-haiku-4-5',
    PARLEY_LLM_FALLBACK_API_KEY: 'key',
    PARLEY_STT_API_KEY: 'key',
    PARLEY_STT_FALLBACK_PROVIDER: 'pocketsphinx',
    PARLEY_TTS_API_KEY: 'key',
    PARLEY_TTS_CARTESIA_API_KEY: 'key',
    PARLEY_TTS_CARTESIA_VOICES: 'mine',
  };
  const marked = (services: string) => {
    const settings = readSettings({ ...service, PARLEY_ZDR_SERVICES: services });
    const { voices, llms, isZdr } = stockCatalogue(settings, {} as RunningEngine);
    const providers = voices.filter((voice) => voice.isZdr).map(({ provider }) => provider);
    return { voices: [...new Set(providers)], llms: llms.map((llm) => llm.isZdr), ...isZdr };
  };

  it('is what runs on this machine, unless the operator says more', () => {
    expect(marked('')).toEqual({ voices: ['LOCAL'], llms: [false, true], stt: false, embeddings: false });
    const { isZdr } = stockCatalogue(readSettings({}), {} as RunningEngine);
    expect(isZdr.stt).toBe(true);
  });

  it('is a service that the operator marks, and recognizers of which each is marked or local', () => {
    expect(marked('llm,tts')).toMatchObject({ voices: ['OPENAI', 'LOCAL'], llms: [true, true], stt: false });
    expect(marked('llm_fallback')).toMatchObject({ llms: [false, true] });
    expect(marked('llm, llm_fallback, stt, tts_cartesia, embeddings')).toEqual({
      voices: ['CARTESIA', 'LOCAL'],
      llms: [true, true],
      stt: true,
      embeddings: true,
    });
  });

  it('is named as the settings are', () => {
    expect(() => readSettings({ PARLEY_ZDR_SERVICES: 'llm,tss' })).toThrow('PARLEY_ZDR_SERVICES: must be of llm,');
  });
});
