import { expect, it } from 'vitest';
import { readSettings } from '../../control/index.ts';
import { NO_MODELS, type LocalModels, type RunningEngine } from '../../engine/index.ts';
import { stockCatalogue } from '../catalogue/catalogue.ts';
import { engineSettings } from '../settings/engine-settings.ts';
import { localModels } from './local-models.ts';
import { openLog } from '../process/log.ts';

const run = { provider: 'cpu', threads: 1, folder: '/models' };
const files = { model: 'm', tokens: 't' };
const HERE: LocalModels = {
  recognizers: [
    {
      language: 'en',
      streaming: {
        id: 'r',
        engine: { type: 'zipformer', encoder: 'e', decoder: 'd', joiner: 'j', tokens: 't', capitals: false },
        ...run,
      },
      finalPass: null,
    },
  ],
  voices: [
    {
      name: 'v/one',
      model: { id: 'v', engine: { type: 'vits', ...files }, ...run },
      speaker: 0,
      lang: null,
      languages: ['en'],
      displayName: 'One',
      gender: 'female',
      country: 'GB',
    },
  ],
  speeds: {},
};
const chosen = (environment: Record<string, string>, local: LocalModels) =>
  engineSettings(readSettings(environment), local).recognizers.map(({ provider }) => provider);

it('are used in place of the stand-in, and of nothing that is named', () => {
  expect(chosen({}, NO_MODELS)).toEqual(['pocketsphinx']);
  expect(chosen({}, HERE)).toEqual(['sherpa-onnx']);
  expect(chosen({ PARLEY_STT_PROVIDER: 'pocketsphinx' }, HERE)).toEqual(['pocketsphinx']);
  expect(chosen({ PARLEY_STT_BASE_URL: 'http://ear.example/v1' }, HERE)).toEqual(['openai', 'sherpa-onnx']);
  expect(chosen({ PARLEY_STT_FALLBACK_PROVIDER: 'pocketsphinx' }, HERE)).toEqual(['sherpa-onnx', 'pocketsphinx']);
});

it('bring their voices into the catalogue, the first one as the default', () => {
  const { voices, defaultVoiceId } = stockCatalogue(readSettings({}), {} as RunningEngine, HERE);
  expect(voices[0]).toMatchObject({
    id: defaultVoiceId,
    provider: 'LOCAL',
    providerVoiceId: 'v/one',
    displayName: 'One',
    gender: 'female',
    country: 'GB',
    family: 'local',
    isZdr: true,
  });
  const without = stockCatalogue(readSettings({}), {} as RunningEngine);
  expect(without.voices.find(({ id }) => id === without.defaultVoiceId)?.providerVoiceId).toBe('slt');
});

it('must be there when they are named', async () => {
  const log = openLog('silent');
  const named = readSettings({ PARLEY_STT_PROVIDER: 'sherpa-onnx', PARLEY_MODELS_DIR: '/nowhere' });
  await expect(localModels(named, log)).rejects.toThrow('Fetch one: bash scripts/start.sh --models');
  const list = readSettings({ PARLEY_MODELS_LIST: '/nowhere/list.json', PARLEY_MODELS_DIR: '/nowhere' });
  await expect(localModels(list, log)).rejects.toMatchObject({ name: 'StartError' });
  expect(await localModels(readSettings({ PARLEY_LOCAL_MODELS: 'off' }), log)).toEqual(NO_MODELS);
});
