import type { LlmDefinition } from './definition.ts';

/** Where chat completions are asked for, and what is added to the requests. */
export interface OpenAiEndpoint {
  readonly url: string;
  /** Everything before `/chat/completions`, and the query: for other requests to the same service. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the key goes: `Authorization`, unless `headers` has it. */
  readonly bearer: boolean;
  /** The field for the largest number of tokens in an answer. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
}

/** OpenAI's own reasoning models refuse the older field. Many other servers know only that one. */
const KNOWS_NEW_LIMIT = /(^|\.)api\.openai\.com$/;

const COMPLETIONS = '/chat/completions';
/** What people copy from a page of the same service: its other endpoints, and those of Ollama's own. */
const OTHER =
  /(?:(?<=\/v\d\w*)\/(?:responses|completions|embeddings|models|messages|audio\/\w+)|\/api\/(?:generate|tags|chat))$/;

/** Accepts the base (`…/v1`), the full endpoint (`…/v1/chat/completions`), and another endpoint of the same service. */
export function openAiEndpoint(url: string): OpenAiEndpoint {
  const { base, query } = split(url);
  const limitField = KNOWS_NEW_LIMIT.test(new URL(url).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return { url: addressOf(base, query), baseUrl: base, query, headers: {}, bearer: true, limitField };
}

const AZURE_API_VERSION = '2024-10-21';

/** A full Azure endpoint stays as it is. The address of a resource gets deployment and API version. */
export function azureEndpoint(url: string, definition: LlmDefinition): OpenAiEndpoint {
  const { base, query, complete } = split(url);
  const deployment = encodeURIComponent(definition.deploymentName ?? definition.modelName);
  const baseUrl = complete ? base : `${base.replace(/\/openai$/, '')}/openai/deployments/${deployment}`;
  const all = { 'api-version': definition.apiVersion ?? AZURE_API_VERSION, ...query };
  return {
    url: addressOf(baseUrl, all),
    baseUrl,
    query: all,
    headers: { 'api-key': definition.secret ?? '' },
    bearer: false,
    limitField: 'max_tokens',
  };
}

function addressOf(base: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return `${base}${COMPLETIONS}${text === '' ? '' : `?${text}`}`;
}

function split(url: string): { base: string; query: Record<string, string>; complete: boolean } {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '').replace(OTHER, '');
  const complete = path.endsWith(COMPLETIONS);
  return {
    base: `${parsed.origin}${complete ? path.slice(0, -COMPLETIONS.length) : path}`,
    query: Object.fromEntries(parsed.searchParams),
    complete,
  };
}
