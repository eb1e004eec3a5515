import { limitFetch } from '../http/limit-fetch.ts';
import { ProviderError, type LanguageModel } from '../ports.ts';
import { LLM_ANSWER } from './answer-limits.ts';
import { DEFAULT_DEADLINES, type Deadlines } from './deadlines.ts';
import { defaultFetch } from './default-fetch.ts';
import { LLM_FORMATS, type Fetch, type LlmDefinition } from './definition.ts';
import { createFallback } from './fallback.ts';
import { createGemini } from './gemini.ts';
import { LatencyBook } from './latency-book.ts';
import { createOpenAiCompatible } from './openai-compatible.ts';
import { azureEndpoint, openAiEndpoint } from './openai-endpoint.ts';
import { retryStaleConnection } from './stale-connection.ts';

export { checkConnection, type ConnectionCheck } from './check-connection.ts';
export { LLM_FORMATS, type LlmDefinition, type LlmFormat, type LlmUrl } from './definition.ts';
export { LatencyBook } from './latency-book.ts';

const sharedLatencies = new LatencyBook();

export interface LanguageModelOptions {
  /** How to reach the endpoints. Customers' definitions need the engine's guarded fetch; the default reaches any host. */
  readonly fetch?: Fetch;
  /** Region of the session: an endpoint there is asked first. */
  readonly region?: string | null;
  readonly deadlines?: Deadlines;
  readonly latencies?: LatencyBook;
}

/** @throws ProviderError `unavailable` when the format is not implemented or there is no URL. Does not connect. */
export function createLanguageModel(definition: LlmDefinition, options: LanguageModelOptions = {}): LanguageModel {
  if (!LLM_FORMATS.includes(definition.format)) {
    throw new ProviderError(
      definition.name,
      'unavailable',
      `The language model format ${String(definition.format)} is not supported.`,
    );
  }
  if (definition.urls.length === 0)
    throw new ProviderError(definition.name, 'unavailable', 'The language model has no URL.');
  const fetch = limitFetch(retryStaleConnection(options.fetch ?? defaultFetch), LLM_ANSWER);
  const { deadlines = DEFAULT_DEADLINES, latencies = sharedLatencies } = options;
  const endpoints = definition.urls.map(({ url, region }) => ({
    url,
    region: region ?? null,
    model: endpointModel(definition, url, fetch, deadlines),
  }));
  return createFallback(definition.name, endpoints, options.region ?? null, latencies);
}

function endpointModel(definition: LlmDefinition, url: string, fetch: Fetch, deadlines: Deadlines): LanguageModel {
  if (definition.format === 'gemini') return createGemini(definition, url, fetch, deadlines);
  const endpoint = definition.format === 'azure_openai' ? azureEndpoint(url, definition) : openAiEndpoint(url);
  return createOpenAiCompatible(definition, endpoint, fetch, deadlines);
}
