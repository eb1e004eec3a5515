import { expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../control/index.ts';
import { engineSettings } from './engine-settings.ts';

const recognizer = (environment: Record<string, string>) => engineSettings(readSettings(environment)).recognizer;
const tts = (environment: Record<string, string>) => engineSettings(readSettings(environment)).tts;

it('hears offline until an address, a key or a name says otherwise', () => {
  expect(recognizer({})).toEqual({ provider: 'pocketsphinx' });
  expect(recognizer({ PARLEY_STT_BASE_URL: 'http://ear.example/v1', PARLEY_STT_MODEL: 'small' })).toEqual({
    provider: 'openai-compatible',
    baseUrl: 'http://ear.example/v1',
    model: 'small',
  });
  expect(recognizer({ PARLEY_STT_API_KEY: 'sk-1' })).toEqual({
    provider: 'openai-compatible',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'sk-1',
    model: 'whisper-1',
  });
  expect(recognizer({ PARLEY_STT_PROVIDER: 'pocketsphinx', PARLEY_STT_BASE_URL: 'http://ear.example/v1' })).toEqual({
    provider: 'pocketsphinx',
  });
});

it('speaks with the named service once it has an address or a key', () => {
  expect(tts({ PARLEY_TTS_PROVIDER: 'elevenlabs' })).toBeNull();
  expect(tts({ PARLEY_TTS_PROVIDER: 'cartesia', PARLEY_TTS_API_KEY: 'key' })).toMatchObject({
    provider: 'cartesia',
    apiKey: 'key',
    baseUrl: null,
  });
});

it.each([
  [{ PARLEY_STT_PROVIDER: 'openai' }, 'PARLEY_STT_PROVIDER'],
  [{ PARLEY_STT_PROVIDER: 'whisper' }, 'PARLEY_STT_PROVIDER'],
  [{ PARLEY_TTS_PROVIDER: 'polly' }, 'PARLEY_TTS_PROVIDER'],
])('names what is wrong with %o', (environment, name) => {
  const read = (): unknown => readSettings(environment as unknown as Record<string, string>);
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(name);
});
