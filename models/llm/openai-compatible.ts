import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { LanguageModel, LlmMessage } from '../ports.ts';
import type { LlmDefinition } from './definition.ts';
import { endpointOptions, type LlmProvider, type LlmTools } from './llm-provider.ts';
import { azureEndpoint, isAzure, openAiEndpoint, type OpenAiEndpoint } from './openai-endpoint.ts';
import type { EndpointMemory } from './request/endpoint-memory.ts';
import type { Body } from './request/repair.ts';
import { objectText } from './request/object-text.ts';
import { mayBeEmpty, prepareRequest, type PreparedRequest } from './request/prepare-request.ts';
import { without } from './request/without-fields.ts';
import { AnyFormReader } from './wire/any-form-reader.ts';
import { askEndpoint, type WireEndpoint } from './wire/ask-endpoint.ts';
import { OpenAiReader } from './wire/openai-reader.ts';
import { warmEndpoint } from './wire/warm-endpoint.ts';
import { namesFromWire } from './wire/names-from-wire.ts';
import { WireToolNames } from './wire-tool-names.ts';

const options = z.object(endpointOptions);

const open: LlmProvider['open'] = (definition, url, tools) =>
  createOpenAiCompatible(definition, isAzure(url) ? azureEndpoint(url, definition) : openAiEndpoint(url), tools);

export const openAi: LlmProvider<typeof options> = {
  id: 'openai',
  about: 'any endpoint of the OpenAI chat format',
  options,
  open,
};

export const custom: LlmProvider<typeof options> = { id: 'custom', about: 'the same as `openai`', options, open };

/**
 * One endpoint of OpenAI's streaming chat completions. OpenAI's own client is not used on the wire: it ends an answer
 * at the first frame that is no JSON, and hides what an endpoint refused.
 * @param more further fields of the request's body.
 */
export function createOpenAiCompatible(
  definition: LlmDefinition,
  endpoint: OpenAiEndpoint,
  { fetch, deadlines, memory }: LlmTools,
  more: Readonly<Record<string, unknown>> = {},
): LanguageModel {
  const endings = { named: false };
  const wire: WireEndpoint = {
    provider: definition.name,
    form: 'openai',
    url: endpoint.url,
    headers: {
      ...(endpoint.bearer && definition.secret && { authorization: `Bearer ${definition.secret}` }),
      ...endpoint.headers,
    },
    secret: definition.secret,
    fetch,
    deadlines,
    memory,
    prepare(request) {
      const names = new WireToolNames(request.tools);
      const prepared = prepareRequest(request, memory, { schemas: 'usual', afterResult: 'assistant' });
      const offered = prepared.tools.map(({ name }) => names.toWire(name));
      const mayBe = mayBeEmpty(request);
      const reader = new AnyFormReader('openai', new OpenAiReader(offered, endings, mayBe), offered, mayBe);
      const body = { ...openAiBody(definition, prepared, names, memory, endpoint.limitField), ...more };
      return { body: without(body, memory), reader: namesFromWire(reader, names), leftOut: prepared.leftOut };
    },
  };
  return {
    name: definition.name,
    stream: (request, signal) => askEndpoint(wire, request, signal),
    warm: (request, signal) => warmEndpoint(wire, request, signal),
  };
}

function openAiBody(
  definition: LlmDefinition,
  { messages, tools }: PreparedRequest,
  names: WireToolNames,
  memory: EndpointMemory,
  usualField: OpenAiEndpoint['limitField'],
): Body {
  const { temperature, reasoningEffort } = definition;
  const maxTokens = memory.fewerTokens(memory.has('room-to-think') ? null : definition.maxTokens);
  const limitField = memory.has('new-limit-field')
    ? 'max_completion_tokens'
    : memory.has('old-limit-field')
      ? 'max_tokens'
      : usualField;
  const body: ChatCompletionCreateParamsStreaming = {
    model: definition.modelName,
    messages: messages.map((message) => wireMessage(message, names, memory.has('text-with-calls') ? '' : null)),
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    ...(maxTokens === null ? {} : { [limitField]: maxTokens }),
    ...(tools.length === 0
      ? {}
      : {
          tool_choice: 'auto',
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name: names.toWire(name), description, parameters },
          })),
        }),
    ...(!reasoningEffort || reasoningEffort === 'default' ? {} : { reasoning_effort: reasoningEffort }),
  };
  return memory.has('less-thinking') ? { ...body, ...LESS_THINKING } : { ...body };
}

/** For services, and for servers of one's own (llama.cpp, vLLM, SGLang). What one of them refuses is left out. */
const LESS_THINKING = { reasoning_effort: 'low', chat_template_kwargs: { enable_thinking: false } };

/** @param nothing content of a message that has only calls. */
function wireMessage(message: LlmMessage, names: WireToolNames, nothing: '' | null): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: 'assistant', content: message.content };
  return {
    ...Object.assign({}, ...calls.map(({ echo }) => echo?.message ?? {})),
    role: 'assistant',
    content: message.content === '' ? nothing : message.content,
    tool_calls: calls.map((call) => ({
      ...call.echo?.call,
      id: call.id,
      type: 'function' as const,
      // Templates of local servers read the arguments as an object.
      function: { name: names.toWire(call.name), arguments: objectText(call.arguments) },
    })),
  };
}
