import type { LlmDefinition } from './definition.ts';

/** The address of an OpenAI client, and what it adds to its requests. */
export interface OpenAiEndpoint {
  /** Everything before `/chat/completions`. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null removes a header of the client. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** The field for the largest number of tokens in an answer. */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
}

/** OpenAI's own reasoning models refuse the older field. Many other servers know only that one. */
const KNOWS_NEW_LIMIT = /(^|\.)api\.openai\.com$/;

const COMPLETIONS = '/chat/completions';

/** Accepts the base (`…/v1`) and the full endpoint (`…/v1/chat/completions`). */
export function openAiEndpoint(url: string): OpenAiEndpoint {
  const { base, query } = split(url);
  const limitField = KNOWS_NEW_LIMIT.test(new URL(url).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return { baseUrl: base, query, headers: {}, limitField };
}

const AZURE_API_VERSION = '2024-10-21';

/** A full Azure endpoint stays as it is. The address of a resource gets deployment and API version. */
export function azureEndpoint(url: string, definition: LlmDefinition): OpenAiEndpoint {
  const { base, query, complete } = split(url);
  return {
    baseUrl: complete
      ? base
      : `${base.replace(/\/openai$/, '')}/openai/deployments/${encodeURIComponent(definition.deploymentName ?? definition.modelName)}`,
    query: { 'api-version': definition.apiVersion ?? AZURE_API_VERSION, ...query },
    headers: { 'api-key': definition.secret ?? '', Authorization: null },
    limitField: 'max_tokens',
  };
}

function split(url: string): { base: string; query: Record<string, string>; complete: boolean } {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '');
  const complete = path.endsWith(COMPLETIONS);
  return {
    base: `${parsed.origin}${complete ? path.slice(0, -COMPLETIONS.length) : path}`,
    query: Object.fromEntries(parsed.searchParams),
    complete,
  };
}
