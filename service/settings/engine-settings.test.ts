import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../control/index.ts';
import { engineSettings, llmsBehindCustom, stockLlms } from './engine-settings.ts';

const recognizers = (environment: Record<string, string>) =>
  engineSettings(readSettings({ PARLEY_OFFLINE_FALLBACK: 'false', ...environment })).recognizers;
const OFFLINE = {
  provider: 'pocketsphinx',
  options: { modelDir: '/usr/share/pocketsphinx/model/en-us', maxDecoders: 4 },
};
const tts = (environment: Record<string, string>) => engineSettings(readSettings(environment)).tts;

it('recognizes offline until an address, a key or a name says otherwise', () => {
  expect(recognizers({})).toEqual([OFFLINE]);
  expect(recognizers({ PARLEY_STT_BASE_URL: 'http://ear.example/v1/', PARLEY_STT_MODEL: 'small' })).toEqual([
    { provider: 'openai', options: { baseUrl: 'http://ear.example/v1', model: 'small', partialEverySeconds: 0 } },
  ]);
  expect(recognizers({ PARLEY_STT_API_KEY: 'sk-1' })).toEqual([
    { provider: 'openai', options: { apiKey: 'sk-1', model: 'whisper-1', partialEverySeconds: 0 } },
  ]);
  expect(recognizers({ PARLEY_STT_PROVIDER: 'pocketsphinx', PARLEY_STT_BASE_URL: 'http://ear.example/v1' })).toEqual([
    OFFLINE,
  ]);
});

it('has a second recognizer when one is named', () => {
  expect(recognizers({ PARLEY_STT_API_KEY: 'sk-1', PARLEY_STT_FALLBACK_PROVIDER: 'pocketsphinx' })).toMatchObject([
    { provider: 'openai' },
    OFFLINE,
  ]);
  expect(engineSettings(readSettings({ PARLEY_STT_KEY_TERMS: 'Parley, Zsófia' })).keyTerms).toEqual([
    'Parley',
    'Zsófia',
  ]);
});

describe('where clients send media', () => {
  const told = (environment: Record<string, string>) => engineSettings(readSettings(environment)).publicAddresses;
  const nearby = (environment: Record<string, string>) => engineSettings(readSettings(environment)).ownMachineAddresses;
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal);

  it('is where the service listens, unless the operator says otherwise', () => {
    expect(told({})).toEqual(['127.0.0.1']);
    expect(told({ PARLEY_HOST: '127.0.0.2' })).toEqual(['127.0.0.2']);
    expect(told({ PARLEY_HOST: '::1' })).toEqual(['::1', '127.0.0.1']);
    expect(told({ PARLEY_HOST: '0.0.0.0', PARLEY_PUBLIC_IP: '203.0.113.7' })).toEqual(['203.0.113.7']);
    expect(told({ PARLEY_HOST: '0.0.0.0' }).at(-1)).toBe('127.0.0.1');
  });

  /** Firefox pairs nothing with a loopback address: it had no sound and no picture of a service as it starts by itself. */
  it('is also an address of this machine that is not loopback, where only this machine reaches the service', () => {
    const [address] = nearby({}) ?? [];
    if (others.length > 0) expect(others.map((other) => other.address)).toContain(address);
    else expect(address).toBeUndefined();
    expect(nearby({ PARLEY_HOST: '::1' })).toEqual(nearby({}));
    expect(nearby({ PARLEY_HOST: '0.0.0.0' })).toEqual([]);
    expect(nearby({ PARLEY_PUBLIC_IP: '203.0.113.7' })).toEqual([]);
  });
});

describe('which LLMs take over', () => {
  const two = {
    PARLEY_LLM_PROVIDER: 'anthropic',
    PARLEY_LLM_MODEL: 'first',
    PARLEY_LLM_API_KEY: 'key',
    PARLEY_LLM_FALLBACK_PROVIDER: 'gemini',
    PARLEY_LLM_FALLBACK_MODEL: 'second',
    PARLEY_LLM_FALLBACK_API_KEY: 'key',
  };
  const models = (choices: ReturnType<typeof stockLlms>) => choices.map(({ options }) => options['model']);

  it('from one that keeps nothing, only one that keeps nothing', () => {
    const stock = (marked: string) => models(stockLlms(readSettings({ ...two, PARLEY_ZDR_SERVICES: marked })));
    expect(stock('')).toEqual(['first', 'second']);
    expect(stock('llm_fallback')).toEqual(['first', 'second']);
    expect(stock('llm')).toEqual(['first']);
    expect(stock('llm,llm_fallback')).toEqual(['first', 'second']);
  });

  it('from one of a customer, none, unless the operator allows it', () => {
    const behind = (isZdr: boolean, more: Record<string, string> = {}) =>
      models(llmsBehindCustom(readSettings({ ...two, PARLEY_ZDR_SERVICES: 'llm_fallback', ...more }), isZdr));
    expect(behind(false)).toEqual([]);
    expect(behind(false, { PARLEY_CUSTOM_LLM_FALLBACK: 'true' })).toEqual(['first', 'second']);
    expect(behind(true, { PARLEY_CUSTOM_LLM_FALLBACK: 'true' })).toEqual(['second']);
  });
});

it('knows the addresses of Claude and Gemini, and how much they are to think', () => {
  const environment = {
    PARLEY_LLM_PROVIDER: 'anthropic',
    PARLEY_LLM_MODEL: 'claude-haiku-4-5',
    PARLEY_LLM_API_KEY: 'key',
    PARLEY_LLM_REASONING_EFFORT: 'low',
    PARLEY_LLM_FALLBACK_PROVIDER: 'gemini',
    PARLEY_LLM_FALLBACK_MODEL: 'gemini-3-flash',
    PARLEY_LLM_FALLBACK_API_KEY: 'other',
  };
  expect(stockLlms(readSettings(environment))).toEqual([
    {
      provider: 'anthropic',
      options: {
        baseUrl: 'https://api.anthropic.com',
        apiKey: 'key',
        model: 'claude-haiku-4-5',
        reasoningEffort: 'low',
      },
    },
    {
      provider: 'gemini',
      options: {
        baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
        apiKey: 'other',
        model: 'gemini-3-flash',
      },
    },
  ]);
});

it('falls back on the offline recognizer', () => {
  expect(recognizers({ PARLEY_STT_API_KEY: 'sk-1', PARLEY_OFFLINE_FALLBACK: 'true' })).toMatchObject([
    { provider: 'openai' },
    OFFLINE,
  ]);
});

it('speaks with the named service once it has an address or a key', () => {
  expect(tts({})).toEqual([]);
  expect(tts({ PARLEY_TTS_PROVIDER: 'cartesia', PARLEY_TTS_API_KEY: 'key' })).toEqual([
    { provider: 'cartesia', options: { apiKey: 'key' }, voices: [], isZdr: false },
  ]);
});

it('speaks with several services, each with settings of its own', () => {
  const environment = {
    PARLEY_TTS_PROVIDER: 'elevenlabs',
    PARLEY_TTS_API_KEY: 'first',
    PARLEY_TTS_CARTESIA_API_KEY: 'second',
    PARLEY_TTS_CARTESIA_VOICES: 'a,b',
    PARLEY_ZDR_SERVICES: 'tts',
  };
  expect(tts(environment)).toEqual([
    { provider: 'elevenlabs', options: { apiKey: 'first' }, voices: [], isZdr: true },
    { provider: 'cartesia', options: { apiKey: 'second' }, voices: ['a', 'b'], isZdr: false },
  ]);
  expect(tts({ PARLEY_TTS_CARTESIA_API_KEY: 'only' })).toMatchObject([{ provider: 'cartesia' }]);
});

it.each([
  [{ PARLEY_STT_PROVIDER: 'openai' }, 'PARLEY_STT_PROVIDER'],
  [{ PARLEY_STT_PROVIDER: 'whisper' }, 'PARLEY_STT_PROVIDER'],
  [{ PARLEY_STT_BASE_URL: 'ear.example' }, 'PARLEY_STT_BASE_URL: must be an http or https URL'],
  [{ PARLEY_STT_MAX_DECODERS: '100' }, 'PARLEY_STT_MAX_DECODERS'],
  [{ PARLEY_STT_FALLBACK_PROVIDER: 'openai' }, 'PARLEY_STT_FALLBACK_PROVIDER: openai needs an address or a key'],
  [{ PARLEY_LLM_PROVIDER: 'anthropic', PARLEY_LLM_MODEL: 'm' }, 'PARLEY_LLM_API_KEY: is needed for anthropic'],
  [
    { PARLEY_LLM_BASE_URL: 'http://a.b', PARLEY_LLM_MODEL: 'm', PARLEY_LLM_REASONING_EFFORT: 'much' },
    'PARLEY_LLM_REASONING_EFFORT',
  ],
  [{ PARLEY_TTS_PROVIDER: 'polly' }, 'PARLEY_TTS_PROVIDER'],
  [{ PARLEY_TTS_API_KEY: 'key', PARLEY_TTS_OPENAI_API_KEY: 'key' }, 'PARLEY_TTS_PROVIDER: openai is set twice'],
  [{ PARLEY_TTS_CARTESIA_MODEL: 'sonic-3' }, 'PARLEY_TTS_CARTESIA_…: cartesia needs an address or a key'],
  [{ PARLEY_TTS_CARTESIA_VOICES: 'a' }, 'PARLEY_TTS_CARTESIA_VOICES: cartesia needs an address or a key'],
  [{ PARLEY_TTS_PROVIDER: 'elevenlabs' }, 'PARLEY_TTS_PROVIDER: elevenlabs needs an address or a key'],
])('names what is wrong with %o', (environment, name) => {
  const read = (): unknown => readSettings(environment as unknown as Record<string, string>);
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(name);
});

it('has the TCP port for media that is set, none, or leaves it to the engine', () => {
  const tcpPort = (environment: Record<string, string>) => engineSettings(readSettings(environment)).tcpPort;
  expect(tcpPort({})).toBeUndefined();
  expect(tcpPort({ PARLEY_ICE_TCP_PORT: '443' })).toBe(443);
  expect(tcpPort({ PARLEY_ICE_TCP_PORT: 'off' })).toBeNull();
  // HTTP has it. The engine, which opens its ports first, must not take it.
  expect(tcpPort({ PORT: '8443', PARLEY_UDP_PORT: '8443' })).toBeNull();
});
