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
/** What people copy from a page of the same service: its other endpoints, and those of Ollama's and llama.cpp's own. */
const OTHER = new RegExp(
  [
    String.raw`(?<=/v\d\w*|/deployments/[^/]+|/openai)/(?:chat|responses|completions|embeddings|models|messages)(?:/[^/]+)?`,
    String.raw`(?<=/v\d\w*)/(?:audio|images)/\w+`,
    '/api/(?:generate|tags|chat)',
    '^/(?:completions?|props|health|docs|redoc)',
  ]
    .map((path) => `(?:${path})$`)
    .join('|'),
);

/** Accepts the base (`…/v1`), the full endpoint (`…/v1/chat/completions`), and another endpoint of the same service. */
export function openAiEndpoint(url: string): OpenAiEndpoint {
  const { base, query } = split(url);
  const limitField = KNOWS_NEW_LIMIT.test(new URL(url).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return { url: addressOf(base, query), baseUrl: base, query, headers: {}, bearer: true, limitField };
}

const AZURE_API_VERSION = '2024-10-21';

/** Of the interface to models of all makers (https://learn.microsoft.com/azure/ai-foundry/model-inference). */
const AZURE_MODELS_VERSION = '2024-05-01-preview';
/** An address of Azure that says more than the resource: OpenAI's own interface, a deployment, models of all makers. */
const AZURE_INTERFACE = /\/openai\/v1$|\/deployments\/[^/]+$|\.services\.ai\.azure\.com\/models$/;

/** Whether an address is one of Azure, whose keys and addresses are others. */
export const isAzure = (url: string): boolean =>
  /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/.test(new URL(url).hostname);

/** A full Azure endpoint stays as it is. The address of a resource gets deployment and API version. */
export function azureEndpoint(url: string, definition: LlmDefinition): OpenAiEndpoint {
  const { base, query, complete } = split(url);
  const deployment = encodeURIComponent(definition.deploymentName ?? definition.modelName);
  const resource = base.replace(/\/openai$|\/api\/projects\/[^/]+$/, '');
  const baseUrl = complete || AZURE_INTERFACE.test(base) ? base : `${resource}/openai/deployments/${deployment}`;
  const usual = baseUrl.endsWith('/models') ? AZURE_MODELS_VERSION : AZURE_API_VERSION;
  const version = definition.apiVersion ?? (baseUrl.endsWith('/openai/v1') ? null : usual);
  const all = { ...(version !== null && { 'api-version': version }), ...query };
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
  const pasted = parsed.pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  const complete = pasted.endsWith(COMPLETIONS);
  const path = complete ? pasted : pasted.replace(OTHER, '');
  return {
    base: `${parsed.origin}${complete ? path.slice(0, -COMPLETIONS.length) : path}`,
    query: Object.fromEntries(parsed.searchParams),
    complete,
  };
}
