/** Formats of requests and answers. */
export type WireForm = 'openai' | 'anthropic' | 'gemini';

export const NAME_OF_FORM: Readonly<Record<WireForm, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
};
