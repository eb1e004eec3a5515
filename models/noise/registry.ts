import { providerOf } from '../provider.ts';
import { gtcrn } from './gtcrn.ts';
import type { NoiseFilters, NoiseProvider } from './noise-provider.ts';
import { rnnoise } from './rnnoise.ts';

/**
 * Which noise filters there are, the default first. To add one, write its file and its line here. The setting, its
 * documentation and the engine read this list.
 */
export const NOISE_FILTERS: readonly NoiseProvider[] = [rnnoise, gtcrn];

/** Which noise filter is used, as plain data: it is loaded in the audio-in worker. */
export interface NoiseSettings {
  /** Id of a filter, or `off`. */
  readonly filter: string;
  /** Folder of model files. */
  readonly modelsDir: string;
}

/** Loads the chosen filter. @returns null when none is wanted. @throws Error when it cannot be loaded. */
export function openNoiseFilters({ filter, modelsDir }: NoiseSettings): NoiseFilters | null {
  return filter === 'off' ? null : providerOf(NOISE_FILTERS, filter, 'noise').load({ modelsDir });
}
