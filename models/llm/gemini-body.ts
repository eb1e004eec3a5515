import type { LlmMessage, LlmToolCall } from '../ports.ts';
import type { LlmDefinition } from './definition.ts';
import { objectOf } from './request/object-text.ts';
import type { PreparedRequest } from './request/prepare-request.ts';

export interface GeminiPart {
  text?: string;
  /** The text is reasoning. */
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> };
  functionResponse?: { name: string; response: Record<string, unknown> };
}

interface GeminiContent {
  role: 'user' | 'model';
  parts: GeminiPart[];
}

/**
 * From this version on, models take a level. Older ones take a budget of tokens. Both together are refused
 * (https://ai.google.dev/gemini-api/docs/thinking).
 */
const LEVELS_SINCE = 3;

/** Tokens of thinking for each effort, as the provider's own OpenAI-compatible endpoint maps them. */
const THINKING_BUDGET = { low: 1024, medium: 8192, high: 24_576 } as const;

/** The documented signature for calls whose own is not known. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Calls come back with ids of the session, so they are identified by their name and arguments. */
export function signatureKey(call: Pick<LlmToolCall, 'name' | 'arguments'>): string {
  return `${call.name}(${call.arguments})`;
}

/** @param signatures of the calls that this model made before, by `signatureKey`. The model requires them back. */
export function geminiBody(
  definition: LlmDefinition,
  request: PreparedRequest,
  signatures: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const [first] = request.messages;
  const system = first?.role === 'system' ? first.content : '';
  const conversation = system === '' ? request.messages : request.messages.slice(1);
  const effort = definition.reasoningEffort;
  const thinkingConfig = {
    ...(effort && effort !== 'default' ? thinkingOf(definition.modelName, effort) : {}),
    ...(definition.reasoningFormat === 'parsed' ? { includeThoughts: true } : {}),
  };
  const generationConfig = {
    ...(definition.temperature === null || definition.temperature === undefined
      ? {}
      : { temperature: definition.temperature }),
    ...(definition.maxTokens === null || definition.maxTokens === undefined
      ? {}
      : { maxOutputTokens: definition.maxTokens }),
    ...(Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig }),
  };
  return {
    contents: contentsOf(conversation, signatures),
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: request.tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
}

function thinkingOf(modelName: string, effort: keyof typeof THINKING_BUDGET) {
  const version = Number(/gemini-(\d+)/.exec(modelName)?.[1] ?? LEVELS_SINCE);
  return version >= LEVELS_SINCE ? { thinkingLevel: effort } : { thinkingBudget: THINKING_BUDGET[effort] };
}

/** Results and words of the user are one message. */
function contentsOf(messages: readonly LlmMessage[], signatures: ReadonlyMap<string, string>): GeminiContent[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => [call.id, call.name] as const) : [],
    ),
  );
  const contents: GeminiContent[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, names, signatures);
    if (parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents;
}

function partsOf(
  message: LlmMessage,
  names: ReadonlyMap<string, string>,
  signatures: ReadonlyMap<string, string>,
): GeminiPart[] {
  if (message.role === 'tool') {
    return [
      { functionResponse: { name: names.get(message.toolCallId) ?? 'tool', response: { result: message.content } } },
    ];
  }
  const text = message.content === '' ? [] : [{ text: message.content }];
  if (message.role !== 'assistant') return text;
  const calls = (message.toolCalls ?? []).map((call) => ({
    functionCall: { name: call.name, args: objectOf(call.arguments) },
    thoughtSignature: signatures.get(signatureKey(call)) ?? NO_SIGNATURE,
  }));
  return [...text, ...calls];
}
