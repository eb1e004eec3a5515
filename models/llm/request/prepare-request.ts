import type { LlmMessage, LlmRequest, LlmToolCall, ToolSpec } from '../../ports.ts';
import { shortCallId } from './call-ids.ts';
import { shapeConversation, type Shape } from './conversation-shape.ts';
import type { EndpointMemory } from './endpoint-memory.ts';
import { shortenConversation } from './shorten.ts';
import { fitTools, type SchemaForm } from './tool-schema.ts';

/** A session's request in the form that one endpoint takes, by what was found out about it. */
export interface PreparedRequest {
  /** `system` only as the first one. Ids are those of the provider. */
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly ToolSpec[];
  /** Names of tools whose schemas the format does not allow. */
  readonly leftOut: readonly string[];
}

/** What a format takes in any case. */
export interface FormatRules {
  readonly schemas: SchemaForm;
  readonly afterResult: Shape['afterResult'];
}

export function prepareRequest(request: LlmRequest, memory: EndpointMemory, rules: FormatRules): PreparedRequest {
  const wanted = memory.has('without-tools')
    ? []
    : request.tools.filter(({ name }) => !memory.has(`without-tool:${name}`));
  const schemas = memory.has('plain-schemas') ? 'plain' : memory.has('strict-schemas') ? 'strict' : rules.schemas;
  const { tools, leftOut } = fitTools(fitting(wanted, memory), schemas);
  const asText = memory.has('calls-as-text') || memory.has('without-tools');
  const shaped = shapeConversation(shortened(request.messages, memory), {
    prompt: memory.has('prompt-in-user') ? 'first-user' : 'system',
    afterResult: rules.afterResult,
    calls: asText ? 'as-text' : memory.has('calls-one-by-one') ? 'one-by-one' : 'together',
  });
  return { messages: withProviderIds(withEchoes(shaped, memory), memory), tools, leftOut };
}

/** OpenAI's bounds, which most gateways have copied. */
const [MAX_TOOLS, MAX_DESCRIPTION_LENGTH] = [128, 1_024];

function fitting(tools: readonly ToolSpec[], memory: EndpointMemory): readonly ToolSpec[] {
  const some = memory.has('fewer-tools') ? tools.slice(0, MAX_TOOLS) : tools;
  if (!memory.has('short-descriptions')) return some;
  return some.map((tool) => ({ ...tool, description: tool.description.slice(0, MAX_DESCRIPTION_LENGTH) }));
}

function shortened(messages: readonly LlmMessage[], { roomChars }: EndpointMemory): readonly LlmMessage[] {
  return roomChars === null ? messages : shortenConversation(messages, roomChars);
}

/** Reasoning goes back in the turn in which it came. Signatures of calls always do. */
function withEchoes(messages: readonly LlmMessage[], memory: EndpointMemory): readonly LlmMessage[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, at) => {
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
    const keepsMessage = at > lastUser || memory.has('reasoning-always');
    const calls = message.toolCalls.map(({ echo, ...call }): LlmToolCall => {
      if (echo === undefined || memory.has('reasoning-never')) return call;
      return { ...call, echo: { ...echo, ...(!keepsMessage && { message: {} }) } };
    });
    return { ...message, toolCalls: calls };
  });
}

function withProviderIds(messages: readonly LlmMessage[], memory: EndpointMemory): LlmMessage[] {
  const ids = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'tool') return { ...message, toolCallId: ids.get(message.toolCallId) ?? message.toolCallId };
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
    const calls = message.toolCalls.map(({ providerId, ...call }) => {
      const id = providerId ?? call.id;
      ids.set(call.id, memory.has('short-ids') || id.startsWith('fc_') ? shortCallId(id) : id);
      return { ...call, id: ids.get(call.id) ?? id };
    });
    return { ...message, toolCalls: calls };
  });
}

/** After a tool, the model may have said and done all. */
export function mayBeEmpty({ mayBeEmpty: allowed, messages }: LlmRequest): boolean {
  return allowed === true || messages.at(-1)?.role === 'tool';
}
