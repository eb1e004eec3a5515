import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { LlmMessage, LlmToolCall } from '../ports.ts';
import { fingerprint, thinkingOf, type Thought, type Thoughts } from './anthropic-thinking.ts';
import type { LlmDefinition } from './definition.ts';
import { objectOf } from './request/object-text.ts';
import type { PreparedRequest } from './request/prepare-request.ts';
import type { WireToolNames } from './wire-tool-names.ts';

/** The API requires a limit. Every model since Claude 4 accepts this one. A spoken answer needs a tenth of it. */
const MAX_TOKENS = 16_384;

/**
 * Tools and system prompt are the same at each turn of a conversation, so the provider caches them for 5 minutes
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). The messages are not marked: their beginning
 * changes, and a cached prompt must have the same beginning.
 */
const KEEP: { readonly cache_control: CacheControlEphemeral } = { cache_control: { type: 'ephemeral' } };

/** The last API version with a temperature (https://platform.claude.com/docs/en/api/versioning). */
const VERSION_WITH_TEMPERATURE = '2023-06-01';

export interface AnthropicRequest {
  readonly body: MessageCreateParamsStreaming;
  readonly headers: Readonly<Record<string, string>>;
  /** Identifies what the answer was given to. */
  readonly fingerprint: string;
}

/** A request of the Messages API (https://platform.claude.com/docs/en/api/messages). */
export function anthropicRequest(
  definition: LlmDefinition,
  request: PreparedRequest,
  names: WireToolNames,
  thoughts: Thoughts,
): AnthropicRequest {
  const [first] = request.messages;
  const system = first?.role === 'system' ? first.content : '';
  const conversation = system === '' ? request.messages : request.messages.slice(1);
  const tools = request.tools.map(({ name, description, parameters }, at): Tool => ({
    name: names.toWire(name),
    description,
    input_schema: { ...parameters, type: 'object' },
    ...(at === request.tools.length - 1 && KEEP),
  }));
  const before = [system, tools];
  const { messages, forgot } = messagesOf(conversation, before, names, thoughts);
  const { temperature } = definition;
  const maxTokens = definition.maxTokens ?? MAX_TOKENS;
  const wanted = thinkingOf(definition, maxTokens);
  // With a budget, the API refuses a call without the thought before it.
  const thinking = wanted.thinking?.type === 'enabled' && forgot ? {} : wanted;
  // With thinking, every model refuses a temperature. Without it, some do, and the error says so.
  const hasTemperature = typeof temperature === 'number' && !thinking.thinking;
  const body = {
    model: definition.modelName,
    max_tokens: maxTokens,
    stream: true,
    ...(system !== '' && { system: [{ type: 'text', text: system, ...KEEP } satisfies TextBlockParam] }),
    messages,
    ...(tools.length > 0 && { tools, tool_choice: { type: 'auto' } as const }),
    ...(hasTemperature && { temperature }),
    ...thinking,
  } satisfies MessageCreateParamsStreaming & { temperature?: number };
  return {
    body,
    headers: hasTemperature ? { 'anthropic-version': VERSION_WITH_TEMPERATURE } : {},
    fingerprint: fingerprint([before, messages]),
  };
}

/** Results and words of the user are one message. @returns `forgot`: the last answer called tools, and its thought is not known. */
function messagesOf(
  all: readonly LlmMessage[],
  before: unknown,
  names: WireToolNames,
  thoughts: Thoughts,
): { messages: MessageParam[]; forgot: boolean } {
  const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  let forgot = false;
  const add = (role: 'user' | 'assistant', blocks: readonly ContentBlockParam[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const message of all) {
    if (message.role === 'assistant') {
      const calls = message.toolCalls ?? [];
      const thought = calls.length === 0 ? [] : thoughts.recall(fingerprint([before, messages]), calls);
      forgot = calls.length > 0 && thought.length === 0;
      add('assistant', assistantBlocks(message.content, calls, names, thought));
    } else if (message.role === 'tool') {
      add('user', [{ type: 'tool_result', tool_use_id: plainId(message.toolCallId), content: message.content }]);
    } else add('user', [textBlock(message.content)]);
  }
  return { messages, forgot };
}

/** Ids of other providers may have characters that this one refuses. */
function plainId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

function assistantBlocks(
  text: string,
  calls: readonly LlmToolCall[],
  names: WireToolNames,
  thought: readonly Thought[],
): readonly ContentBlockParam[] {
  return [
    ...thought,
    // The API refuses an answer that ends with a space.
    ...(text.trim() === '' ? [] : [textBlock(text.trimEnd())]),
    ...calls.map(
      ({ id, name, arguments: args }) =>
        ({ type: 'tool_use', id: plainId(id), name: names.toWire(name), input: objectOf(args) }) as const,
    ),
  ];
}

function textBlock(text: string): TextBlockParam {
  return { type: 'text', text };
}
