import { EMBEDDINGS_PROVIDERS, LLM_PROVIDERS, STT_PROVIDERS, TTS_PROVIDERS } from '../../engine/providers.ts';
import { ProviderSettings } from './provider-settings.ts';

/** How to reach a service. Either one is enough to say that a service is wanted. */
const isReached = (given: ReadonlySet<string>): boolean => given.has('baseUrl') || given.has('apiKey');

/** Unset: the offline LLM alone. */
export const llmSettings = new ProviderSettings('LLM', LLM_PROVIDERS, (given) =>
  given.has('baseUrl') ? LLM_PROVIDERS[0]!.id : null,
);
/** The second model of the operator's own, if any. */
export const llmFallbackSettings = new ProviderSettings('LLM_FALLBACK', LLM_PROVIDERS, () => null, llmSettings);

export const STT_SERVICE = STT_PROVIDERS.find(({ where }) => where === 'service')!.id;
export const LOCAL_STT = STT_PROVIDERS.find(({ where }) => where === 'local')!.id;

export const sttSettings = new ProviderSettings('STT', STT_PROVIDERS, (given) =>
  isReached(given) ? STT_SERVICE : LOCAL_STT,
);
/** The second recognizer, if any. */
export const sttFallbackSettings = new ProviderSettings('STT_FALLBACK', STT_PROVIDERS, () => null, sttSettings);

/** Unset: the offline voices alone. */
export const ttsSettings = new ProviderSettings('TTS', TTS_PROVIDERS, (given) =>
  isReached(given) ? TTS_PROVIDERS[0]!.id : null,
);

export const embeddingsSettings = new ProviderSettings('EMBEDDINGS', EMBEDDINGS_PROVIDERS, (given) =>
  given.has('baseUrl') ? EMBEDDINGS_PROVIDERS[0]!.id : null,
);

/** Every kind of provider of which the environment chooses one. */
export const PROVIDER_SETTINGS: readonly Pick<typeof sttSettings, 'problems'>[] = [
  llmSettings,
  llmFallbackSettings,
  sttSettings,
  sttFallbackSettings,
  ttsSettings,
  embeddingsSettings,
];
