import { z } from 'zod';
import { limitedBody } from '../http/limited-body.ts';
import type { Fetch, LlmDefinition } from './definition.ts';
import { openAiEndpoint } from './openai-endpoint.ts';

/** Formats whose endpoints list their models (https://platform.openai.com/docs/api-reference/models/list). */
const LISTING: ReadonlySet<string> = new Set(['openai', 'custom', 'groq_openai']);
const MAX_BYTES = 1024 * 1024;
/** Names that are told. */
const TOLD = 8;

const answer = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });

/**
 * A sentence with the models that an endpoint has, for somebody whose model it does not know. Null where it tells none.
 * Never rejects.
 */
export async function offeredModels(llm: LlmDefinition, fetch: Fetch, signal: AbortSignal): Promise<string | null> {
  const url = llm.urls[0]?.url;
  if (url === undefined || !LISTING.has(llm.format)) return null;
  const { baseUrl } = openAiEndpoint(url);
  const below = new URL(baseUrl).pathname === '/' ? [`${baseUrl}/v1/models`] : [];
  for (const address of [...below, `${baseUrl}/models`]) {
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
    return answer.parse(await new Response(body).json()).data.map(({ id }) => id);
  } catch {
    return [];
  }
}
