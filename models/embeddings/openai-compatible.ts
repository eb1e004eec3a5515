import { z } from 'zod';
import { AnswerLimitError, type AnswerLimits } from '../http/answer-limits.ts';
import { isTimeout } from '../http/is-timeout.ts';
import { limitFetch } from '../http/limit-fetch.ts';
import { defaultFetch } from '../llm/default-fetch.ts';
import { errorForConnection, errorForStatus } from '../llm/http-errors.ts';
import { openAiEndpoint } from '../llm/openai-endpoint.ts';
import { httpUrl, nameText, secret } from '../option-values.ts';
import { ProviderError, type Embedder } from '../ports.ts';
import type { EmbeddingsProvider } from './embeddings-provider.ts';

/** Texts in one request. Providers accept 100 to 2048. */
const BATCH = 96;
const TIMEOUT_MS = 30_000;
const PROVIDER = 'embeddings';
/** 96 vectors of 4096 numbers are 9 MB of JSON. */
const ANSWER: AnswerLimits = { bodyBytes: 16 * 1024 * 1024, unit: null, wholeMs: TIMEOUT_MS };

const options = z.object({
  baseUrl: httpUrl().describe('Address of the embeddings service.'),
  apiKey: secret().optional().describe('Its key.'),
  model: nameText().describe('Its model name.'),
});

export const openAiCompatible: EmbeddingsProvider<typeof options> = {
  id: 'openai',
  about: 'any service of the OpenAI embeddings format',
  options,
  open: ({ baseUrl, apiKey, model }, signal) =>
    createOpenAiCompatibleEmbedder({ url: baseUrl, modelName: model, secret: apiKey ?? null }, signal),
};

export interface EmbeddingsDefinition {
  /** Base URL or full endpoint. */
  readonly url: string;
  readonly modelName: string;
  readonly secret: string | null;
}

/**
 * Connects to an endpoint of the OpenAI embeddings format. A first request tells the length of its vectors.
 * @throws ProviderError
 */
export async function createOpenAiCompatibleEmbedder(
  definition: EmbeddingsDefinition,
  signal: AbortSignal,
  fetch: typeof globalThis.fetch = defaultFetch,
): Promise<Embedder> {
  const endpoint = openAiEndpoint(definition.url.replace(/\/embeddings\/*$/, ''));
  // Loaded only where it is used: see `models/llm/openai-compatible.ts`.
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    defaultQuery: endpoint.query,
    apiKey: definition.secret || 'none',
    organization: null,
    project: null,
    fetch: limitFetch(fetch, ANSWER),
    timeout: TIMEOUT_MS,
    maxRetries: 2,
    logLevel: 'off',
  });

  async function embedBatch(texts: readonly string[], stop: AbortSignal): Promise<Float32Array[]> {
    try {
      // Plain numbers. The client would request base64, which not every server knows.
      const answer = await client.embeddings.create(
        { model: definition.modelName, input: [...texts], encoding_format: 'float' },
        { signal: stop },
      );
      const vectors = answer.data
        .toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => Float32Array.from(embedding));
      if (vectors.length === texts.length) return vectors;
    } catch (error) {
      throw await translated(error, stop);
    }
    throw new ProviderError(
      PROVIDER,
      'bad-response',
      'The embeddings endpoint answered with another number of vectors than it got texts.',
    );
  }

  const [probe] = await embedBatch(['dimensions'], signal);
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0)
    throw new ProviderError(PROVIDER, 'bad-response', 'The embeddings endpoint answered with an empty vector.');
  return {
    dimensions,
    async embed(texts, stop) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += BATCH)
        vectors.push(...(await embedBatch(texts.slice(from, from + BATCH), stop)));
      if (vectors.some((vector) => vector.length !== dimensions))
        throw new ProviderError(PROVIDER, 'bad-response', 'The embeddings endpoint changed the length of its vectors.');
      return vectors;
    },
  };
}

function leaving({ reason }: AbortSignal, cause: unknown): ProviderError {
  return isTimeout(reason)
    ? new ProviderError(PROVIDER, 'timeout', 'The embeddings endpoint did not answer in time.', { cause })
    : new ProviderError(PROVIDER, 'aborted', 'The vectors are no longer wanted.', { cause });
}

async function translated(error: unknown, signal: AbortSignal): Promise<ProviderError> {
  if (signal.aborted) return leaving(signal, error);
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return exceeded.asProviderError(PROVIDER, 'The embeddings endpoint');
  const { APIConnectionError, APIError } = await import('openai');
  if (error instanceof APIConnectionError) return errorForConnection(PROVIDER, error);
  if (error instanceof APIError && typeof error.status === 'number')
    return errorForStatus(PROVIDER, error.status, error.code, { cause: error });
  return new ProviderError(PROVIDER, 'bad-response', 'The answer of the embeddings endpoint was not understood.', {
    cause: error,
  });
}
