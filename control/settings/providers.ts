import { STT_PROVIDERS } from '../../engine/providers.ts';
import { ProviderSettings } from './provider-settings.ts';

/** How to reach a service. Either one is enough to say that a service is wanted. */
const isReached = (given: ReadonlySet<string>): boolean => given.has('baseUrl') || given.has('apiKey');

export const STT_SERVICE = STT_PROVIDERS.find(({ where }) => where === 'service')!.id;
export const LOCAL_STT = STT_PROVIDERS.find(({ where }) => where === 'local')!.id;

export const sttSettings = new ProviderSettings('STT', STT_PROVIDERS, (given) =>
  isReached(given) ? STT_SERVICE : LOCAL_STT,
);
/** The second recognizer, if any. */
export const sttFallbackSettings = new ProviderSettings('STT_FALLBACK', STT_PROVIDERS, () => null, sttSettings);

/** Every kind of provider of which the environment chooses one. */
export const PROVIDER_SETTINGS: readonly Pick<typeof sttSettings, 'problems'>[] = [sttSettings, sttFallbackSettings];
