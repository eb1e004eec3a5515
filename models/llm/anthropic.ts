import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import { AnswerLimitError } from '../http/answer-limits.ts';
import { httpUrl } from '../option-values.ts';
import { ProviderError, type LanguageModel, type LlmEvent, type LlmRequest } from '../ports.ts';
import { anthropicRequest, type AnthropicRequest } from './anthropic-body.ts';
import { Thoughts, type Thought } from './anthropic-thinking.ts';
import { withDeadlines } from './deadlines.ts';
import type { LlmDefinition } from './definition.ts';
import { errorForConnection, errorForStatus, errorForStream } from './http-errors.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';
import { ToolCallParts } from './tool-call-parts.ts';
import { WireToolNames } from './wire-tool-names.ts';

const options = z.object({
  ...endpointOptions,
  baseUrl: httpUrl().default('https://api.anthropic.com').describe('Endpoint of the stock LLM.'),
  // The API requires a key.
  apiKey: endpointOptions.apiKey.unwrap().describe('Its key.'),
});

/**
 * Claude, by the Messages API with server-sent events: https://platform.claude.com/docs/en/build-with-claude/streaming.
 * Not tried against the real service.
 */
export const anthropic: LlmProvider<typeof options> = {
  id: 'anthropic',
  about: 'Claude, by the Messages API of Anthropic',
  options,
  limits: z.object({ temperature: z.number().min(0).max(1).nullable() }),
  open: createAnthropic,
};

/** The HTTP status for a type of error in the middle of a stream (https://platform.claude.com/docs/en/api/errors). */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** One endpoint of the Messages API. */
export function createAnthropic(definition: LlmDefinition, url: string, { fetch, deadlines }: LlmTools): LanguageModel {
  const provider = definition.name;
  const { baseUrl, query } = anthropicEndpoint(url);
  const thoughts = new Thoughts();
  // The library takes 0.15 s of CPU to load. It is loaded when a model is opened, so a service without Claude does not
  // load it, and no turn waits for it.
  const opened = import('@anthropic-ai/sdk').then(
    ({ Anthropic }) =>
      new Anthropic({
        baseURL: baseUrl,
        defaultQuery: query,
        // The client requires a key, but a gateway may need none.
        apiKey: definition.secret || 'none',
        fetch,
        // No retries, because another endpoint is tried. `withDeadlines` has the deadlines. Log and traces would
        // contain the conversation.
        maxRetries: 0,
        timeout: 2 * (deadlines.firstTokenMs + deadlines.idleMs),
        logLevel: 'off',
        openTelemetry: false,
      }),
  );
  // Each request reports the error.
  opened.catch(() => {});

  async function* pieces(
    { body, headers: own }: AnthropicRequest,
    { sessionId, correlationId }: LlmRequest,
    signal: AbortSignal,
  ): AsyncIterable<RawMessageStreamEvent> {
    const headers = { 'X-Session-Id': sessionId, 'X-Correlation-Id': correlationId, ...own };
    const client = await opened;
    const stream = await client.messages.create(body, { signal, headers });
    for await (const piece of stream) if (saysSomething(piece)) yield piece;
  }

  async function* answer(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    const names = new WireToolNames(request.tools);
    const asked = anthropicRequest(definition, request, names, thoughts);
    const parts = new ToolCallParts();
    const thought = new Map<number, Thought>();
    let stopReason: string | null = null;
    let spoke = false;
    for await (const piece of withDeadlines(provider, deadlines, signal, (inner) => pieces(asked, request, inner))) {
      collect(piece, parts, thought);
      const event = eventOf(piece);
      if (event !== null) yield event;
      spoke ||= event?.type === 'text';
      if (piece.type === 'message_delta') stopReason = piece.delta.stop_reason ?? stopReason;
    }
    if (stopReason === null) throw new Error('the stream ended without a stop reason');
    if (stopReason === 'refusal' && !spoke)
      throw new ProviderError(provider, 'bad-request', 'The language model declined to answer this.');
    const calls = parts.calls().map((call) => ({ ...call, name: names.fromWire(call.name) }));
    // Half of a tool call must not run.
    if (stopReason !== 'tool_use' && !calls.every(({ arguments: args }) => isJson(args)))
      throw new Error('the answer ended inside a tool call');
    thoughts.remember(asked.fingerprint, calls, [...thought.values()]);
    for (const call of calls) yield { type: 'tool-call', call };
    yield { type: 'done', finishReason: stopReason };
  }

  return {
    name: provider,
    async *stream(request, signal) {
      try {
        yield* answer(request, signal);
      } catch (error) {
        throw await translated(provider, error);
      }
    },
  };
}

/** Pings and empty pieces do not count as output: an endpoint that sends nothing else is silent. */
function saysSomething(piece: RawMessageStreamEvent): boolean {
  if (piece.type === 'content_block_start') return piece.content_block.type !== 'text';
  if (piece.type === 'content_block_delta') return piece.delta.type !== 'text_delta' || piece.delta.text !== '';
  return piece.type === 'message_delta';
}

function eventOf(piece: RawMessageStreamEvent): LlmEvent | null {
  if (piece.type !== 'content_block_delta') return null;
  const { delta } = piece;
  if (delta.type === 'text_delta') return { type: 'text', text: delta.text };
  return delta.type === 'thinking_delta' && delta.thinking !== '' ? { type: 'reasoning', text: delta.thinking } : null;
}

/** Joins calls and thoughts, which come in pieces. @throws AnswerLimitError for calls beyond their limits. */
function collect(piece: RawMessageStreamEvent, parts: ToolCallParts, thought: Map<number, Thought>): void {
  if (piece.type === 'content_block_start') {
    const { index, content_block: block } = piece;
    if (block.type === 'tool_use') parts.add({ index, id: block.id, function: { name: block.name } });
    else if (block.type === 'thinking') thought.set(index, { type: 'thinking', thinking: '', signature: '' });
    else if (block.type === 'redacted_thinking') thought.set(index, { type: 'redacted_thinking', data: block.data });
  } else if (piece.type === 'content_block_delta') {
    const { index, delta } = piece;
    const known = thought.get(index);
    if (delta.type === 'input_json_delta') parts.add({ index, function: { arguments: delta.partial_json } });
    else if (known?.type !== 'thinking') return;
    else if (delta.type === 'thinking_delta')
      thought.set(index, { ...known, thinking: known.thinking + delta.thinking });
    else if (delta.type === 'signature_delta')
      thought.set(index, { ...known, signature: known.signature + delta.signature });
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function translated(provider: string, error: unknown): Promise<ProviderError> {
  if (error instanceof ProviderError) return error;
  const { APIConnectionError, APIError } = await import('@anthropic-ai/sdk');
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return exceeded.asProviderError(provider, 'The model');
  if (error instanceof APIConnectionError) return errorForConnection(provider, error);
  if (error instanceof APIError) {
    const status = error.status ?? STATUS_OF[error.type ?? ''];
    const { headers } = error;
    if (typeof status === 'number') return errorForStatus(provider, status, error.type, { cause: error, headers });
  }
  return errorForStream(provider, error);
}

/** Accepts the API's address (`https://api.anthropic.com`, with or without `/v1`) and the full endpoint. */
export function anthropicEndpoint(url: string): { baseUrl: string; query: Record<string, string> } {
  const parsed = new URL(url);
  const path = parsed.pathname.replace(/\/+$/, '').replace(/(\/v1)?(\/messages)?$/, '');
  return { baseUrl: `${parsed.origin}${path}`, query: Object.fromEntries(parsed.searchParams) };
}
