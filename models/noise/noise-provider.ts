import type { NoiseFilter } from '../ports.ts';

/** Makes a filter for each session. */
export interface NoiseFilters {
  createFilter(): NoiseFilter;
}

/** A noise filter that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface NoiseProvider {
  /** As `PARLEY_NOISE_FILTER` names it. */
  readonly id: string;
  /** For the documentation, where the id does not say it all. */
  readonly about?: string;
  /** Blocks the thread while it loads. @throws Error when a file is missing, or is another model. */
  load(files: { readonly modelsDir: string }): NoiseFilters;
}
