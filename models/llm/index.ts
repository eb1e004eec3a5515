import { limitFetch } from '../http/limit-fetch.ts';
import { ProviderError, type LanguageModel } from '../ports.ts';
import type { LatencyTable } from '../latency-table.ts';
import type { ProviderChoice } from '../provider.ts';
import { LLM_ANSWER } from './answer-limits.ts';
import { DEFAULT_DEADLINES, type Deadlines } from './deadlines.ts';
import { defaultFetch } from './default-fetch.ts';
import type { Fetch, LlmDefinition } from './definition.ts';
import { createFallback } from './fallback.ts';
import { LatencyBook } from './latency-book.ts';
import { definitionOf, LLM_PROVIDERS } from './registry.ts';
import { retryStaleConnection } from './stale-connection.ts';
import { timedModel } from './timed-model.ts';

export { checkConnection, type ConnectionCheck } from './check-connection.ts';
export type { LlmDefinition, LlmUrl } from './definition.ts';
export { LatencyBook } from './latency-book.ts';

const sharedLatencies = new LatencyBook();

export interface LanguageModelOptions {
  /**
   * How to reach the endpoints. Customers' definitions need the engine's guarded fetch; the default reaches any host.
   */
  readonly fetch?: Fetch;
  /** Region of the session: an endpoint there is asked first. */
  readonly region?: string | null;
  readonly deadlines?: Deadlines;
  readonly latencies?: LatencyBook;
  /** Where first tokens are timed, and under which name. @defaultValue nowhere */
  readonly timed?: { readonly in: LatencyTable; readonly as: string };
}

/** @throws ProviderError `unavailable` when the format is not implemented or there is no URL. Does not connect. */
export function createLanguageModel(definition: LlmDefinition, options: LanguageModelOptions = {}): LanguageModel {
  const provider = LLM_PROVIDERS.find(({ id }) => id === definition.format);
  if (provider === undefined) {
    throw new ProviderError(
      definition.name,
      'unavailable',
      `The language model format ${definition.format} is not supported.`,
    );
  }
  if (definition.urls.length === 0)
    throw new ProviderError(definition.name, 'unavailable', 'The language model has no URL.');
  const fetch = limitFetch(retryStaleConnection(options.fetch ?? defaultFetch), LLM_ANSWER);
  const { deadlines = DEFAULT_DEADLINES, latencies = sharedLatencies } = options;
  const { timed } = options;
  const endpoints = definition.urls.map(({ url, region }) => {
    const model = provider.open(definition, url, { fetch, deadlines });
    return {
      url,
      region: region ?? null,
      model: timed === undefined ? model : timedModel(model, timed.as, timed.in),
    };
  });
  return createFallback(definition.name, endpoints, options.region ?? null, latencies);
}

/**
 * Opens the operator's own models as one. The next one answers when one fails before its first word, and goes on doing
 * so for a minute.
 * @param choices the preferred one first; at least one.
 */
export function openLanguageModels(
  choices: readonly ProviderChoice[],
  { table, ...options }: Omit<LanguageModelOptions, 'timed'> & { readonly table?: LatencyTable } = {},
): LanguageModel {
  const models = choices.map((choice) =>
    createLanguageModel(definitionOf(choice), {
      ...options,
      ...(table !== undefined && { timed: { in: table, as: choice.provider } }),
    }),
  );
  const [only] = models;
  if (models.length === 1 && only !== undefined) return only;
  const links = models.map((model, index) => ({ url: `model ${index}`, region: null, model }));
  return createFallback(
    models.map(({ name }) => name).join(', '),
    links,
    null,
    options.latencies ?? new LatencyBook(),
    'as-given',
  );
}
