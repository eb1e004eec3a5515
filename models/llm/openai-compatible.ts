import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import { AnswerLimitError } from '../http/answer-limits.ts';
import { ProviderError, type LanguageModel, type LlmEvent, type LlmMessage, type LlmRequest } from '../ports.ts';
import { withDeadlines } from './deadlines.ts';
import type { LlmDefinition } from './definition.ts';
import { errorForConnection, errorForStatus, errorForStream } from './http-errors.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';
import { openAiEndpoint, type OpenAiEndpoint } from './openai-endpoint.ts';
import { ToolCallParts } from './tool-call-parts.ts';
import { WireToolNames } from './wire-tool-names.ts';

/** The reasoning of some providers, which OpenAI's type does not have. */
type Delta = ChatCompletionChunk.Choice.Delta & { reasoning_content?: string | null; reasoning?: string | null };

const options = z.object(endpointOptions);

const open: LlmProvider['open'] = (definition, url, tools) =>
  createOpenAiCompatible(definition, openAiEndpoint(url), tools);

export const openAi: LlmProvider<typeof options> = {
  id: 'openai',
  about: 'any endpoint of the OpenAI chat format',
  options,
  open,
};

export const custom: LlmProvider<typeof options> = { id: 'custom', about: 'the same as `openai`', options, open };

/**
 * One endpoint of OpenAI's streaming chat completions.
 * @param more further fields of the request's body.
 */
export function createOpenAiCompatible(
  definition: LlmDefinition,
  endpoint: OpenAiEndpoint,
  { fetch, deadlines }: LlmTools,
  more: Readonly<Record<string, unknown>> = {},
): LanguageModel {
  const provider = definition.name;
  /** Some servers never say why an answer ends. One that does, and then does not, broke off behind a proxy. */
  let endings: 'unknown' | 'named' = 'unknown';
  // The library takes 0.13 s of CPU to load. It is loaded when a model is opened, so a service that does not need it
  // does not load it, and no turn waits for it.
  const opened = import('openai').then(
    ({ OpenAI }) =>
      new OpenAI({
        baseURL: endpoint.baseUrl,
        defaultQuery: endpoint.query,
        defaultHeaders: endpoint.headers,
        // The client requires a key, but local servers need none.
        apiKey: definition.secret || 'none',
        organization: null,
        project: null,
        fetch,
        // No retries, because another endpoint is tried. `withDeadlines` has the deadlines. The log would contain the
        // conversation.
        maxRetries: 0,
        timeout: 2 * (deadlines.firstTokenMs + deadlines.idleMs),
        logLevel: 'off',
      }),
  );
  // Each request reports the error.
  opened.catch(() => {});

  async function* choices(request: LlmRequest, names: WireToolNames, signal: AbortSignal): AsyncIterable<Choice> {
    const headers = { 'X-Session-Id': request.sessionId, 'X-Correlation-Id': request.correlationId };
    const client = await opened;
    const stream = await client.chat.completions.create(
      { ...body(definition, request, names, endpoint), ...more },
      { signal, headers },
    );
    for await (const chunk of stream) {
      const choice = chunk.choices?.[0];
      // Empty pieces do not count as output: an endpoint that sends nothing else is silent.
      if (choice !== undefined && saysSomething(choice)) yield choice;
    }
  }

  async function* answer(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    const calls = new ToolCallParts();
    const names = new WireToolNames(request.tools);
    let finishReason: string | null = null;
    let spoke = false;
    for await (const choice of withDeadlines(provider, deadlines, signal, (inner) => choices(request, names, inner))) {
      for (const event of textsOf(choice.delta)) {
        spoke = true;
        yield event;
      }
      for (const delta of choice.delta?.tool_calls ?? []) calls.add(delta);
      finishReason = choice.finish_reason ?? finishReason;
    }
    // Half of a tool call must not run, and an empty answer without an end is broken.
    if (finishReason !== null) endings = 'named';
    else if (!spoke || !calls.isEmpty || endings === 'named')
      throw new Error('the stream ended without a finish reason');
    for (const call of calls.calls()) yield { type: 'tool-call', call: { ...call, name: names.fromWire(call.name) } };
    yield { type: 'done', finishReason: finishReason ?? 'incomplete' };
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

type Choice = ChatCompletionChunk.Choice;

function saysSomething({ delta, finish_reason }: Choice): boolean {
  const calls = delta?.tool_calls?.some((call) => call.function?.name || call.function?.arguments);
  return Boolean(finish_reason || calls) || !textsOf(delta).next().done;
}

function* textsOf(delta: Delta | undefined): Generator<LlmEvent> {
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  if (typeof reasoning === 'string' && reasoning !== '') yield { type: 'reasoning', text: reasoning };
  if (typeof delta?.content === 'string' && delta.content !== '') yield { type: 'text', text: delta.content };
}

function body(
  definition: LlmDefinition,
  request: LlmRequest,
  names: WireToolNames,
  { limitField }: OpenAiEndpoint,
): ChatCompletionCreateParamsStreaming {
  const { temperature, maxTokens, reasoningEffort } = definition;
  return {
    model: definition.modelName,
    messages: request.messages.map((message) => wireMessage(message, names)),
    stream: true,
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    ...(maxTokens === null || maxTokens === undefined ? {} : { [limitField]: maxTokens }),
    ...(request.tools.length === 0
      ? {}
      : {
          tool_choice: 'auto',
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name: names.toWire(name), description, parameters },
          })),
        }),
    ...(!reasoningEffort || reasoningEffort === 'default' ? {} : { reasoning_effort: reasoningEffort }),
  };
}

function wireMessage(message: LlmMessage, names: WireToolNames): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = (message.toolCalls ?? []).map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: names.toWire(call.name), arguments: call.arguments },
  }));
  return {
    role: 'assistant',
    content: message.content === '' && calls.length > 0 ? null : message.content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

async function translated(provider: string, error: unknown): Promise<ProviderError> {
  if (error instanceof ProviderError) return error;
  const { APIConnectionError, APIError } = await import('openai');
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return exceeded.asProviderError(provider, 'The model');
  if (error instanceof APIConnectionError) return errorForConnection(provider, error);
  if (error instanceof APIError && typeof error.status === 'number')
    return errorForStatus(provider, error.status, error.code ?? error.type, { cause: error, headers: error.headers });
  return errorForStream(provider, error);
}
