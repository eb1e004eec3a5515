import type { TransformerOptions } from './transformer.ts';

/** Sound is heard in 80 bands; text may have 448 tokens. The same in all models up to "medium". */
export const BANDS = 80;
export const TEXT_TOKENS = 448;

export interface WhisperSize {
  readonly tokens: number;
  readonly width: number;
  readonly encoder: { readonly layers: number; readonly heads: number };
  readonly decoder: { readonly layers: number; readonly heads: number };
}

/** How CTranslate2 names the weights of Whisper; the epsilon is that of OpenAI's model. */
export const WHISPER_NAMES: Omit<TransformerOptions, 'width'> = {
  epsilon: 1e-5,
  names: { weight: '/weight', bias: '/bias', gain: '/gamma', shift: '/beta' },
};
