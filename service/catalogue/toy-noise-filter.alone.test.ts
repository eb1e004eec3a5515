import { expect, it } from 'vitest';
import { NOISE_FILTERS } from '../../models/noise/registry.ts';
import type { NoiseProvider } from '../../models/noise/noise-provider.ts';

/** A file that exports this and a line in the registry are all that a noise filter takes. */
const toy: NoiseProvider = {
  id: 'toy',
  about: 'mutes everything',
  load: () => ({
    createFilter: () => ({
      sampleRate: 16_000,
      frameSamples: 160,
      process: (frame: Float32Array) => void frame.fill(0),
      close: () => {},
    }),
  }),
};

// Before what reads the registry is loaded.
(NOISE_FILTERS as NoiseProvider[]).push(toy);

const { readSettings, settingsHelp, SettingsError } = await import('../../control/index.ts');
const { engineSettings } = await import('../settings/engine-settings.ts');
const { providersPage } = await import('../../scripts/docs/providers-page.ts');
const { openNoiseFilters } = await import('../../models/noise/registry.ts');

const { noise } = engineSettings(readSettings({ PARLEY_NOISE_FILTER: 'toy' }));

it('is a value of the setting, and stands in its description and in the table', () => {
  expect(noise.filter).toBe('toy');
  expect(() => readSettings({ PARLEY_NOISE_FILTER: 'magic' })).toThrow(SettingsError);
  expect(settingsHelp()).toContain('`toy` (mutes everything)');
  expect(providersPage()).toContain('| `toy` | mutes everything |');
});

it('is loaded, and filters', () => {
  const frame = Float32Array.of(1, -1);
  openNoiseFilters(noise)?.createFilter().process(frame, 1);
  expect(frame).toEqual(Float32Array.of(0, 0));
  expect(openNoiseFilters(engineSettings(readSettings({ PARLEY_NOISE_FILTER: 'off' })).noise)).toBeNull();
});
