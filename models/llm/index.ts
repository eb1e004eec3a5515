import { createHash } from 'node:crypto';
import { limitFetch } from '../http/limit-fetch.ts';
import type { LatencyTable } from '../latency-table.ts';
import { ProviderError, type LanguageModel } from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import type { ProviderChoice } from '../provider.ts';
import type { Dial } from '../http/service-socket.ts';
import { createAgentModel } from '../speech-to-speech/elevenlabs/agent-model.ts';
import { SPEECH_FORMAT } from '../speech-to-speech/settings.ts';
import { createSpeechModel } from '../speech-to-speech/speech-model.ts';
import { LLM_ANSWER } from './answer-limits.ts';
import { DEFAULT_DEADLINES, HURRIED_DEADLINES, type Deadlines } from './deadlines.ts';
import { defaultFetch } from './default-fetch.ts';
import type { Fetch, LlmDefinition } from './definition.ts';
import { createLlmFallback, type LlmLink } from './fallback.ts';
import { EndpointLatencies } from './endpoint-latencies.ts';
import { definitionOf, LLM_PROVIDERS } from './registry.ts';
import { EndpointMemories } from './request/endpoint-memory.ts';
import { retryStaleConnection } from './stale-connection.ts';
import { timedModel } from './timed-model.ts';

export { retryKind } from './retry-kind.ts';
export { offeredModels } from './offered-models.ts';
export { PATIENT_DEADLINES } from './deadlines.ts';
export { checkConnection } from './check-connection.ts';
export type { LlmDefinition } from './definition.ts';
export { EndpointMemories } from './request/endpoint-memory.ts';
export { EndpointLatencies } from './endpoint-latencies.ts';

const sharedLatencies = new EndpointLatencies();
const sharedCircuits = new CircuitBreaker();
const sharedMemories = new EndpointMemories();

export interface LanguageModelOptions {
  /**
   * How endpoints are reached. Definitions of customers need the engine's guarded fetch. The default reaches any host.
   */
  readonly fetch?: Fetch;
  /** The same for models that speak, which are reached by a WebSocket. */
  readonly dial?: Dial;
  /** Region of the session: an endpoint there is asked first. */
  readonly region?: string | null;
  readonly deadlines?: Deadlines;
  /** Deadlines while another LLM can be asked. */
  readonly hurried?: Deadlines;
  readonly latencies?: EndpointLatencies;
  readonly circuits?: CircuitBreaker;
  /** What endpoints were found to refuse. @defaultValue that of the process */
  readonly memories?: EndpointMemories;
  /** Whether to find out anew what the endpoints refuse. @defaultValue false */
  readonly fresh?: boolean;
  /** Gets the times to first tokens, under this name. @defaultValue they are not measured */
  readonly timed?: { readonly in: LatencyTable; readonly as: string } | undefined;
  /** The operator's LLMs that take over, the preferred one first. They may be on any host. @defaultValue none */
  readonly behind?: readonly ProviderChoice[];
}

/** @throws ProviderError `unavailable` when the format is not implemented or there is no URL. Does not connect. */
export function createLanguageModel(definition: LlmDefinition, options: LanguageModelOptions = {}): LanguageModel {
  if (definition.agent !== undefined)
    return createAgentModel(definition.name, definition.agent, { dial: options.dial });
  if (definition.format === SPEECH_FORMAT) return createSpeechModel(definition, { dial: options.dial });
  const { fetch: _guarded, ...unguarded } = options;
  const behind = (options.behind ?? []).map(definitionOf);
  return chainOf(
    [definition, ...behind],
    [...linksOf(definition, 0, options), ...operatorLinks(behind, 1, unguarded, options.timed?.in)],
    options,
  );
}

/**
 * Opens the operator's own LLMs as one: see `createLlmFallback`.
 * @param choices at least one, the preferred one first.
 */
export function openLanguageModels(
  choices: readonly ProviderChoice[],
  { table, ...options }: Omit<LanguageModelOptions, 'timed'> & { readonly table?: LatencyTable } = {},
): LanguageModel {
  const definitions = choices.map(definitionOf);
  return chainOf(definitions, operatorLinks(definitions, 0, options, table), options);
}

function operatorLinks(
  definitions: readonly LlmDefinition[],
  firstPlace: number,
  options: LanguageModelOptions,
  table: LatencyTable | undefined,
): LlmLink[] {
  return definitions.flatMap((definition, index) => {
    const timed = table === undefined ? undefined : { in: table, as: definition.format };
    return linksOf(definition, firstPlace + index, { ...options, timed });
  });
}

function chainOf(
  definitions: readonly LlmDefinition[],
  links: readonly LlmLink[],
  options: LanguageModelOptions,
): LanguageModel {
  return createLlmFallback(definitions.map(({ name }) => name).join(', '), links, {
    region: options.region ?? null,
    latencies: options.latencies ?? sharedLatencies,
    circuits: options.circuits ?? sharedCircuits,
    hurried: options.hurried ?? HURRIED_DEADLINES,
  });
}

function linksOf(definition: LlmDefinition, place: number, options: LanguageModelOptions): LlmLink[] {
  const { name, format, modelName, secret, urls } = definition;
  const provider = LLM_PROVIDERS.find(({ id }) => id === format);
  if (provider === undefined)
    throw new ProviderError(name, 'unavailable', `The language model format ${format} is not supported.`);
  if (urls.length === 0) throw new ProviderError(name, 'unavailable', 'The language model has no URL.');
  const fetch = limitFetch(retryStaleConnection(options.fetch ?? defaultFetch), LLM_ANSWER);
  const deadlines = options.deadlines ?? DEFAULT_DEADLINES;
  const memories = options.memories ?? sharedMemories;
  return urls.map(({ url, region }) => {
    // There is a circuit for each key: a wrong key or a spent quota of one customer must not affect others.
    const id = createHash('sha256')
      .update(JSON.stringify([format, url, modelName, secret]))
      .digest('base64url');
    const memory = memories.of(id, modelName);
    if (options.fresh === true) memory.forget();
    const tools = { fetch, deadlines, memory };
    return {
      id,
      provider: `${format} ${modelName}`,
      place,
      url,
      region: region ?? null,
      model: timed(provider.open(definition, url, tools), options.timed),
    };
  });
}

function timed(model: LanguageModel, where: LanguageModelOptions['timed']): LanguageModel {
  return where === undefined ? model : timedModel(model, where.as, where.in);
}
