import { expect, it, vi } from 'vitest';
import type * as Registry from '../../models/tts/registry.ts';
import type { TtsProvider } from '../../models/tts/tts-provider.ts';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';

/** A file that exports this and a line in the registry are all that a TTS service takes. */
const toy: TtsProvider = vi.hoisted(() => ({
  id: 'toy',
  apiName: 'TOY',
  about: 'a music box',
  family: 'fish' as const,
  stockVoices: [
    {
      provider: 'TOY',
      providerVoiceId: 'box',
      displayName: 'Music box',
      gender: 'neutral' as const,
      language: null,
      country: null,
      description: 'Plays a tune.',
    },
  ],
  open: () => createFakeSynthesizer(),
}));

vi.mock('../../models/tts/registry.ts', async (original) => {
  const registry = await original<typeof Registry>();
  const providers = registry.TTS_PROVIDERS as TtsProvider[];
  providers.push(toy);
  return registry;
});

const { readSettings, settingsHelp } = await import('../../control/index.ts');
const { stockCatalogue } = await import('./catalogue.ts');
const { ttsSettings } = await import('./engine-settings.ts');
const { openSynthesizers } = await import('../../models/tts/registry.ts');

const settings = readSettings({ PARLEY_TTS_PROVIDER: 'toy', PARLEY_TTS_API_KEY: 'key' });

it('is a value of the setting, and stands in its description', () => {
  expect(ttsSettings(settings)).toMatchObject({ provider: 'toy', apiKey: 'key' });
  expect(settingsHelp()).toContain('`toy` (a music box)');
});

it('brings its voices into the catalogue, with the options of their family', () => {
  const { voices } = stockCatalogue(settings, {} as never);
  expect(voices[0]).toMatchObject({ provider: 'TOY', providerVoiceId: 'box', family: 'fish', isZdr: false });
});

it('is opened under the name that its voices have for it', async () => {
  const synthesizers = openSynthesizers(ttsSettings(settings));
  expect(Object.keys(synthesizers)).toEqual(['LOCAL', 'TOY']);
  await Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close()));
});
