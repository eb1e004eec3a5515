import type { NoiseFilter } from '../ports.ts';
import { loadGtcrn } from './gtcrn.ts';
import { loadRnnoise } from './rnnoise.ts';

/** Which noise filter is used. RNNoise comes with Parley; GTCRN's model file is fetched or given by the operator. */
export type NoiseSettings =
  | { readonly filter: 'rnnoise' }
  | { readonly filter: 'gtcrn'; readonly modelPath: string }
  | { readonly filter: 'off' };

/** Makes a filter for each session. */
export interface NoiseFilters {
  createFilter(): NoiseFilter;
}

/** Loads the chosen filter. @returns null when none is wanted. @throws when it cannot be loaded. */
export function openNoiseFilters(settings: NoiseSettings): NoiseFilters | null {
  if (settings.filter === 'off') return null;
  return settings.filter === 'gtcrn' ? loadGtcrn(settings.modelPath) : loadRnnoise();
}
