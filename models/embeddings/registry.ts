import type { LatencyTable } from '../latency-table.ts';
import type { Embedder } from '../ports.ts';
import { providerOf, type ProviderChoice } from '../provider.ts';
import type { EmbeddingsProvider } from './embeddings-provider.ts';
import { openAiCompatible } from './openai-compatible.ts';
import { timedEmbedder } from './timed-embedder.ts';

/**
 * Which embeddings services there are, the default first. To add one, write its file and its line here. The settings,
 * their documentation and the search of knowledge read this list.
 */
export const EMBEDDINGS_PROVIDERS: readonly EmbeddingsProvider[] = [openAiCompatible];

/**
 * Connects to the chosen service. @param latencies where its answers are timed. @throws ProviderError when it does not
 * answer.
 */
export async function openEmbedder(
  { provider, options }: ProviderChoice,
  signal: AbortSignal,
  latencies: LatencyTable,
): Promise<Embedder> {
  const embedder = await providerOf(EMBEDDINGS_PROVIDERS, provider, 'embeddings').open(options, signal);
  return timedEmbedder(embedder, provider, latencies);
}
