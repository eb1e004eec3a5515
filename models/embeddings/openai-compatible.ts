import type { OpenAI } from 'openai';
import { z } from 'zod';
import { AnswerLimitError, type AnswerLimits } from '../http/answer-limits.ts';
import { isTimeout } from '../http/is-timeout.ts';
import { limitFetch } from '../http/limit-fetch.ts';
import { defaultFetch } from '../llm/default-fetch.ts';
import { errorForConnection, errorForStatus } from '../llm/http-errors.ts';
import { openAiEndpoint } from '../llm/openai-endpoint.ts';
import { httpUrl, nameText, secret } from '../option-values.ts';
import { ProviderError, type Embedder } from '../ports.ts';
import { readVector } from './read-vector.ts';
import type { EmbeddingsProvider } from './embeddings-provider.ts';

/** Texts in one request, to begin with. Services accept 2048, or 32, or 10: what one refuses is halved. */
const BATCH = 96;
/** Characters of a text below which a refusal has another reason than its length. */
const MIN_CUT_LENGTH = 200;
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
  const service = new EmbeddingsService(await openClient(definition, fetch), definition.modelName);
  const [probe] = await service.embedBatch(['dimensions'], signal);
  const dimensions = probe?.length ?? 0;
  if (dimensions === 0)
    throw new ProviderError(PROVIDER, 'bad-response', 'The embeddings endpoint answered with an empty vector.');
  return {
    dimensions,
    async embed(texts, stop) {
      const vectors = await service.embed(texts, stop);
      if (vectors.some((vector) => vector.length !== dimensions))
        throw new ProviderError(PROVIDER, 'bad-response', 'The embeddings endpoint changed the length of its vectors.');
      return vectors;
    },
  };
}

async function openClient(definition: EmbeddingsDefinition, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  const endpoint = openAiEndpoint(definition.url.replace(/\/embeddings\/*$/, ''));
  // Loaded only where it is used: see `models/llm/openai-compatible.ts`.
  const { OpenAI } = await import('openai');
  return new OpenAI({
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
}

/** Asks for vectors in requests of a size that the service takes. */
class EmbeddingsService {
  readonly #client: OpenAI;
  readonly #model: string;
  /** What the service has refused: it is not asked for so many again, nor for texts so long. */
  #most = BATCH;
  #longest = Number.POSITIVE_INFINITY;
  #knowsFormats = true;

  constructor(client: OpenAI, model: string) {
    this.#client = client;
    this.#model = model;
  }

  /** @throws ProviderError */
  async embed(texts: readonly string[], stop: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    while (vectors.length < texts.length)
      vectors.push(...(await this.#embedSome(texts.slice(vectors.length, vectors.length + this.#most), stop)));
    return vectors;
  }

  /** One request. @throws ProviderError */
  async embedBatch(texts: readonly string[], stop: AbortSignal): Promise<Float32Array[]> {
    try {
      const vectors = vectorsIn(await this.#ask(texts, stop));
      if (vectors.length === texts.length) return vectors;
    } catch (error) {
      throw await translated(error, stop);
    }
    throw new ProviderError(
      PROVIDER,
      'bad-response',
      'The embeddings endpoint did not answer with one vector of numbers for each text.',
    );
  }

  async #ask(texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    // Plain numbers. The client's own method would request base64, which not every server knows.
    const format = this.#knowsFormats ? { encoding_format: 'float' } : {};
    try {
      return await this.#client.post('/embeddings', {
        body: { model: this.#model, input: [...texts], ...format },
        signal,
      });
    } catch (error) {
      if (!this.#knowsFormats || !/encoding_format/.test(error instanceof Error ? error.message : '')) throw error;
      this.#knowsFormats = false;
      return this.#ask(texts, signal);
    }
  }

  async #embedSome(texts: readonly string[], stop: AbortSignal): Promise<Float32Array[]> {
    try {
      const fitting = texts.map((text) => text.slice(0, this.#longest));
      return await this.embedBatch(fitting, stop);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== 'bad-request') throw error;
      const half = Math.ceil(texts.length / 2);
      if (texts.length > 1) {
        this.#most = Math.min(this.#most, half);
        const first = await this.#embedSome(texts.slice(0, half), stop);
        return [...first, ...(await this.#embedSome(texts.slice(half), stop))];
      }
      const length = Math.min(texts[0]!.length, this.#longest);
      if (length < MIN_CUT_LENGTH * 2) throw error;
      // Its beginning tells what it is about.
      this.#longest = Math.ceil(length / 2);
      return this.#embedSome(texts, stop);
    }
  }
}

/** llama.cpp answers 500: "input is too large to process. increase the physical batch size". */
const isTooMuch = (message: string): boolean =>
  /(?:input|batch|prompt|text)[^.]{0,60}(?:too (?:large|long|many)|exceed)|physical batch size/i.test(message);

/**
 * The vectors of an answer, in the order of the texts: of OpenAI's form, of llama.cpp, Ollama, Cohere and TEI. Empty where
 * there are none.
 */
function vectorsIn(answer: unknown): Float32Array[] {
  const all = isObject(answer) ? (answer['data'] ?? answer['embeddings'] ?? [answer]) : answer;
  const list = isObject(all) ? Object.values(all).find((one) => Array.isArray(one)) : all;
  if (!Array.isArray(list)) return [];
  // The order is the texts' where it is not said.
  const placed = list.map((one: unknown, at) => ({
    at: isObject(one) && typeof one['index'] === 'number' ? one['index'] : at,
    vector: readVector(numbersOf(one)),
  }));
  return placed
    .toSorted((one, other) => one.at - other.at)
    .map(({ vector }) => vector)
    .filter((vector) => vector !== null);
}

const numbersOf = (one: unknown): unknown => (isObject(one) ? numbersOf(one['embedding'] ?? one['values']) : one);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
    return errorForStatus(PROVIDER, isTooMuch(error.message) ? 413 : error.status, error.code, { cause: error });
  return new ProviderError(PROVIDER, 'bad-response', 'The answer of the embeddings endpoint was not understood.', {
    cause: error,
  });
}
