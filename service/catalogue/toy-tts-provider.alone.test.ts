import { expect, it } from 'vitest';
import { z } from 'zod';
import { TTS_PROVIDERS } from '../../models/tts/registry.ts';
import type { TtsProvider } from '../../models/tts/tts-provider.ts';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';

const options = z.object({ tune: z.enum(['waltz', 'march']).describe('What it plays.') });

/** A file that exports this and a line in the registry are all that a TTS service takes. */
const toy: TtsProvider = {
  id: 'toy',
  apiName: 'TOY',
  about: 'a music box',
  family: 'fish' as const,
  tuning: ['speed' as const],
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
  options,
  open: () => createFakeSynthesizer(),
};

// Before what reads the registry is loaded.
(TTS_PROVIDERS as TtsProvider[]).push(toy);

const { readSettings, settingsHelp, ttsServices, ttsSettings } = await import('../../control/index.ts');
const { stockCatalogue } = await import('./catalogue.ts');
const { providersPage } = await import('../../scripts/docs/providers-page.ts');
const { openSynthesizers } = await import('../../models/tts/registry.ts');

const settings = readSettings({ PARLEY_TTS_PROVIDER: 'toy', PARLEY_TTS_TUNE: 'waltz' });

it('is a value of the setting, and stands in its description', () => {
  expect(ttsSettings.choice(settings)).toEqual({ provider: 'toy', options: { tune: 'waltz' } });
  expect(settingsHelp()).toContain('`toy` (a music box)');
  expect(() => readSettings({ PARLEY_TTS_PROVIDER: 'toy', PARLEY_TTS_TUNE: 'noise' })).toThrow('PARLEY_TTS_TUNE');
  expect(providersPage()).toContain('| `toy` | a music box |  | `PARLEY_TTS_TUNE` |');
});

it('brings its voices into the catalogue, with the options of their family', () => {
  const { voices } = stockCatalogue(settings, {} as never);
  expect(voices[0]).toMatchObject({ provider: 'TOY', providerVoiceId: 'box', family: 'fish', isZdr: false });
});

it('is opened under the name that its voices have for it', async () => {
  const synthesizers = openSynthesizers(ttsServices(settings).map(({ choice }) => ({ ...choice, voices: [] })));
  expect(Object.keys(synthesizers)).toEqual(['LOCAL', 'TOY']);
  await Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close()));
});
