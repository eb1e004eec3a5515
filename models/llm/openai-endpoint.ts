import type { LlmDefinition } from './definition.ts';

/** Where the OpenAI client sends requests and what it adds to them. */
export interface OpenAiEndpoint {
  /** Everything before `/chat/completions`. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null removes a header that the client would send. */
  readonly headers: Readonly<Record<string, string | null>>;
}

const COMPLETIONS = '/chat/completions';

/** Takes both forms that people paste: the base (`…/v1`) and the full endpoint (`…/v1/chat/completions`). */
export function openAiEndpoint(url: string): OpenAiEndpoint {
  const { base, query } = split(url);
  return { baseUrl: base, query, headers: {} };
}

const AZURE_API_VERSION = '2024-10-21';

/** A full Azure endpoint is used as it is; a resource's address is completed with deployment and API version. */
export function azureEndpoint(url: string, definition: LlmDefinition): OpenAiEndpoint {
  const { base, query, complete } = split(url);
  return {
    baseUrl: complete
      ? base
      : `${base.replace(/\/openai$/, '')}/openai/deployments/${encodeURIComponent(definition.deploymentName ?? definition.modelName)}`,
    query: { 'api-version': definition.apiVersion ?? AZURE_API_VERSION, ...query },
    headers: { 'api-key': definition.secret ?? '', Authorization: null },
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
