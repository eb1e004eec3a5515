import { z } from 'zod';
import { limitedBody } from '../http/limited-body.ts';
import type { Fetch, LlmDefinition } from './definition.ts';
import { openAiEndpoint } from './openai-endpoint.ts';

/** Formats whose endpoints list their models (https://platform.openai.com/docs/api-reference/models/list). */
const LISTING: ReadonlySet<string> = new Set(['openai', 'custom', 'groq_openai']);
const MAX_BYTES = 1024 * 1024;
/** Names that are told. */
const TOLD = 8;

/** Ids of models, below one of these names in the lists of OpenAI, Ollama, Cloudflare and GitHub, or alone. */
const model = z.union([
  z.string(),
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ model: z.string() }).transform(({ model: name }) => name),
]);
const models = z.array(model.catch('')).transform((names) => names.filter((name) => name !== '' && name.length <= 200));
const answer = z.union([
  models,
  z.object({ data: models }).transform(({ data }) => data),
  z.object({ models }).transform((list) => list.models),
  z.object({ result: models }).transform(({ result }) => result),
]);

/**
 * A sentence with the models that an endpoint has, for somebody whose model it does not know. Null where it tells none.
 * Never rejects.
 */
export async function offeredModels(llm: LlmDefinition, fetch: Fetch, signal: AbortSignal): Promise<string | null> {
  const url = llm.urls[0]?.url;
  if (url === undefined || !LISTING.has(llm.format)) return null;
  const { baseUrl } = openAiEndpoint(url);
  const { origin } = new URL(baseUrl);
  const below = /\/v\d\w*$/.test(baseUrl) ? [] : [`${baseUrl}/v1/models`];
  for (const address of new Set([...below, `${baseUrl}/models`, `${origin}/v1/models`, `${origin}/api/tags`])) {
    const names = await namesAt(address, llm.secret, fetch, signal);
    if (names.length > 0)
      return `It has these models: ${names.slice(0, TOLD).join(', ')}${names.length > TOLD ? ', and others' : ''}.`;
  }
  return null;
}

async function namesAt(url: string, secret: string | null, fetch: Fetch, signal: AbortSignal): Promise<string[]> {
  try {
    const headers = secret ? { authorization: `Bearer ${secret}` } : {};
    const response = await fetch(url, { headers, signal });
    if (!response.ok || response.body === null) return [];
    const body = limitedBody(response.body as never, { beyond: 'cut', bodyBytes: MAX_BYTES });
    return answer.parse(await new Response(body).json());
  } catch {
    return [];
  }
}
