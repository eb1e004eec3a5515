import type { Embedder } from '../ports.ts';
import { providerOf, type ProviderChoice } from '../provider.ts';
import type { EmbeddingsProvider } from './embeddings-provider.ts';
import { openAiCompatible } from './openai-compatible.ts';

/**
 * Which embeddings services there are, the default first. To add one, write its file and its line here. The settings,
 * their documentation and the search of knowledge read this list.
 */
export const EMBEDDINGS_PROVIDERS: readonly EmbeddingsProvider[] = [openAiCompatible];

/** Connects to the chosen service. @throws ProviderError when it does not answer. */
export async function openEmbedder({ provider, options }: ProviderChoice, signal: AbortSignal): Promise<Embedder> {
  return providerOf(EMBEDDINGS_PROVIDERS, provider, 'embeddings').open(options, signal);
}
