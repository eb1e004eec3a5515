import { expect, it } from 'vitest';
import { z } from 'zod';
import { STT_PROVIDERS } from '../../models/stt/registry.ts';
import type { SttProvider } from '../../models/stt/stt-provider.ts';
import { createFakeRecognizer } from '../../models/fakes/index.ts';

const options = z.object({ words: z.string().max(20).describe('What the parrot says.').default('hello') });

/** A file that exports this and a line in the registry are all that a recognizer takes. */
const toy: SttProvider = {
  id: 'toy',
  about: 'a parrot',
  where: 'service' as const,
  standIn: 'a parrot that repeats itself',
  languages: ['en', 'fr'],
  options,
  open: ({ words = 'nothing' }) => createFakeRecognizer({ utterances: [String(words)] }),
};

// Before what reads the registry is loaded.
(STT_PROVIDERS as SttProvider[]).push(toy);

const { readSettings, settingsHelp, SettingsError } = await import('../../control/index.ts');
const { recognizers } = await import('../settings/engine-settings.ts');
const { providersPage } = await import('../../scripts/docs/providers-page.ts');
const { NO_MODELS } = await import('../../models/sherpa/find-local-models.ts');
const { banner } = await import('../process/banner.ts');
const { openRecognizers } = await import('../../models/stt/registry.ts');

const settings = readSettings({
  PARLEY_OFFLINE_FALLBACK: 'false',
  PARLEY_STT_PROVIDER: 'toy',
  PARLEY_STT_WORDS: 'good day',
});

it('is a value of the setting, and its options are settings', () => {
  expect(recognizers(settings)).toEqual([{ provider: 'toy', options: { words: 'good day' } }]);
  expect(settingsHelp()).toContain('`toy` (a parrot)');
  expect(settingsHelp()).toMatch(/PARLEY_STT_WORDS +`toy`: What the parrot says. Unset: `hello`./);
});

it('has its options validated', () => {
  const read = () =>
    readSettings({
      PARLEY_OFFLINE_FALLBACK: 'false',
      PARLEY_STT_PROVIDER: 'toy',
      PARLEY_STT_WORDS: 'a much too long sentence',
    });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow('PARLEY_STT_WORDS');
});

it('stands in the table of providers, and is named at the start', () => {
  expect(providersPage()).toContain('| `toy` | a parrot | en, fr | `PARLEY_STT_WORDS` |');
  expect(
    banner(settings, { url: 'http://127.0.0.1:8080', firstKey: null, local: NO_MODELS, meetingsUnavailable: null }),
  ).toContain('a parrot that repeats');
});

it('is opened with its options', async () => {
  const recognizer = await openRecognizers(recognizers(settings), {
    modelsDir: '/nowhere',
    localRecognizers: [],
    warn: () => {},
  });
  const heard = new Promise<string>((final) => {
    const handlers = { partial: () => {}, final, failed: () => {} };
    const stream = recognizer.open({ language: 'en', keyTerms: [], handlers });
    stream.write(new Int16Array(160));
    stream.finish();
  });
  expect(await heard).toBe('good day');
  await recognizer.close();
});
