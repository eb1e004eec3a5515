import { randomUUID } from 'node:crypto';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { AnswerLimitError } from '../http/answer-limits.ts';
import { httpUrl } from '../option-values.ts';
import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest } from '../ports.ts';
import { checkToolCalls } from './answer-limits.ts';
import { withDeadlines } from './deadlines.ts';
import type { LlmDefinition } from './definition.ts';
import { geminiBody, signatureKey, type GeminiPart } from './gemini-body.ts';
import { errorForConnection, errorForStatus, errorForStream } from './http-errors.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';

interface GeminiChunk {
  candidates?: { content?: { parts?: GeminiPart[] }; finishReason?: string }[];
  promptFeedback?: { blockReason?: string };
  error?: { code?: number; status?: string };
}

/** Most signatures to keep. A conversation window has fewer calls than this. */
const MAX_SIGNATURES = 200;
/** Most characters of a signature and its call. A call without its signature is sent with one that says so. */
const LONGEST_SIGNATURE = 32 * 1024;

const options = z.object({
  ...endpointOptions,
  baseUrl: httpUrl().default('https://generativelanguage.googleapis.com/v1beta').describe('Endpoint of the stock LLM.'),
  // The API requires a key.
  apiKey: endpointOptions.apiKey.unwrap().describe('Its key.'),
});

export const gemini: LlmProvider<typeof options> = {
  id: 'gemini',
  about: 'Gemini API of Google',
  options,
  open: (definition, url, tools) => createGemini(definition, url, tools),
};

/**
 * One endpoint of Gemini's `streamGenerateContent` with server-sent events
 * (https://ai.google.dev/api/generate-content). Not tried against the real service. Prompts are cached by default
 * (https://ai.google.dev/gemini-api/docs/caching). Google's own client would add 12 MB and packages for sign-in,
 * protobuf and sockets, which one streamed request does not need.
 */
export function createGemini(definition: LlmDefinition, url: string, { fetch, deadlines }: LlmTools): LanguageModel {
  const provider = definition.name;
  const endpoint = geminiUrl(url, definition.modelName);
  const signatures = new Map<string, string>();

  async function* chunks(request: LlmRequest, signal: AbortSignal): AsyncIterable<GeminiChunk> {
    const response = await fetch(endpoint, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        'x-goog-api-key': definition.secret ?? '',
        'x-session-id': request.sessionId,
        'x-correlation-id': request.correlationId,
      },
      body: JSON.stringify(geminiBody(definition, request, signatures)),
    }).catch((error: unknown) => {
      throw AnswerLimitError.in(error) ?? errorForConnection(provider, error);
    });
    if (!response.ok || response.body === null) {
      void response.body?.cancel().catch(() => {});
      throw errorForStatus(provider, response.status, null, { headers: response.headers });
    }
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onError: 'terminate' }));
    for await (const event of events as unknown as AsyncIterable<{ data: string }>) {
      const chunk = JSON.parse(event.data) as GeminiChunk;
      // Empty pieces do not count as output: an endpoint that sends nothing else is silent.
      if (saysSomething(chunk)) yield chunk;
    }
  }

  function eventsOf(part: GeminiPart): LlmEvent[] {
    const events: LlmEvent[] = [];
    if (typeof part.text === 'string' && part.text !== '')
      events.push({ type: part.thought === true ? 'reasoning' : 'text', text: part.text });
    if (typeof part.functionCall?.name !== 'string') return events;
    const call = {
      id: part.functionCall.id ?? `fc_${randomUUID()}`,
      name: part.functionCall.name,
      arguments: JSON.stringify(part.functionCall.args ?? {}),
    };
    if (typeof part.thoughtSignature === 'string') remember(signatureKey(call), part.thoughtSignature);
    return [...events, { type: 'tool-call', call }];
  }

  function remember(key: string, signature: string): void {
    if (key.length + signature.length > LONGEST_SIGNATURE) return;
    signatures.set(key, signature);
    const oldest = signatures.keys().next().value;
    if (signatures.size > MAX_SIGNATURES && oldest !== undefined) signatures.delete(oldest);
  }

  async function* answer(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    let finishReason: string | undefined;
    let calls = 0;
    for await (const chunk of withDeadlines(provider, deadlines, signal, (inner) => chunks(request, inner))) {
      if (typeof chunk.error?.code === 'number') throw errorForStatus(provider, chunk.error.code, chunk.error.status);
      if (chunk.error !== undefined) throw new Error('the stream holds an error without a code');
      if (chunk.promptFeedback?.blockReason !== undefined) {
        throw new ProviderError(provider, 'bad-request', 'The language model declined to answer this.');
      }
      const candidate = chunk.candidates?.[0];
      for (const event of (candidate?.content?.parts ?? []).flatMap(eventsOf)) {
        if (event.type === 'tool-call') checkToolCalls((calls += 1), event.call);
        yield event;
      }
      finishReason = candidate?.finishReason ?? finishReason;
    }
    if (finishReason === undefined) throw new Error('the stream ended without a finish reason');
    yield { type: 'done', finishReason: finishReason.toLowerCase() };
  }

  return {
    name: provider,
    async *stream(request, signal) {
      try {
        yield* answer(request, signal);
      } catch (error) {
        throw translated(provider, error);
      }
    },
  };
}

function saysSomething({ candidates, promptFeedback, error }: GeminiChunk): boolean {
  const candidate = candidates?.[0];
  const parts = candidate?.content?.parts?.some(
    ({ text, functionCall }) => Boolean(text) || functionCall !== undefined,
  );
  return Boolean(candidate?.finishReason || parts) || promptFeedback?.blockReason !== undefined || error !== undefined;
}

function translated(provider: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return AnswerLimitError.in(error)?.asProviderError(provider, 'The model') ?? errorForStream(provider, error);
}

/** Accepts the API's base (`…/v1beta`), a model's address, or the full endpoint. */
export function geminiUrl(url: string, modelName: string): string {
  const target = new URL(url);
  const path = target.pathname.replace(/\/+$/, '');
  if (path.endsWith(':streamGenerateContent')) target.pathname = path;
  else if (path.includes('/models/')) target.pathname = `${path.replace(/:\w+$/, '')}:streamGenerateContent`;
  else
    target.pathname = `${path.replace(/\/models$/, '')}/models/${encodeURIComponent(modelName.replace(/^models\//, ''))}:streamGenerateContent`;
  target.searchParams.set('alt', 'sse');
  return target.href;
}
