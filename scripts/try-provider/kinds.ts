import { embeddingsSettings, llmSettings, sttSettings, ttsSettings } from '../../control/settings/providers.ts';
import type { ProviderSettings } from '../../control/settings/provider-settings.ts';
import type { Provider } from '../../models/provider.ts';

/** Kinds of providers that can be tried, by the word for them on the command line. */
export const KINDS = {
  stt: sttSettings,
  llm: llmSettings,
  tts: ttsSettings,
  embeddings: embeddingsSettings,
} as const satisfies Record<string, ProviderSettings<string, Provider>>;

export type Kind = keyof typeof KINDS;

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

/** What the attempts take besides the options of a provider. */
export const COMMON_FLAGS = {
  file: { type: 'string' },
  text: { type: 'string' },
  voice: { type: 'string' },
  language: { type: 'string' },
  tries: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Of a provider's options: `apiKey` is `--api-key`. */
export interface OptionFlag {
  readonly flag: string;
  /** The setting of the service: `PARLEY_STT_API_KEY`. */
  readonly setting: string;
}

/** @returns the flags of a provider's options; `--key` is `--api-key`, too. */
export function optionFlags(kind: Kind, provider: Provider): OptionFlag[] {
  const settings: ProviderSettings<string, Provider> = KINDS[kind];
  const names = settings.namesOf(provider);
  return Object.keys(provider.options.shape).map((option, index) => ({
    flag: option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    setting: names[index]!,
  }));
}
