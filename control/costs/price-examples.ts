import type { LlmPrices } from './price-schema.ts';

/** Of an LLM without sound, in the examples of the API. */
export const EXAMPLE_LLM_PRICES: LlmPrices = {
  input: 0.25,
  cachedInput: 0.025,
  cacheWrite: null,
  output: 2,
  audioInput: null,
  cachedAudioInput: null,
  audioOutput: null,
};
