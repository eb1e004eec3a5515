import { createHash } from 'node:crypto';
import type {
  MessageCreateParamsBase,
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { LlmToolCall } from '../ports.ts';
import type { LlmDefinition } from './definition.ts';

/** A thought before an answer. The model requires it back unchanged, with the results of the tools that it called. */
export type Thought = ThinkingBlockParam | RedactedThinkingBlockParam;

/** From this version on, models decide themselves how much they think. Older ones get a budget of tokens. */
const ADAPTIVE_SINCE = 4.06;

/** Tokens of thinking for each effort, for models with a budget. The API requires at least 1024. */
const THINKING_BUDGET = { low: 1024, medium: 8192, high: 24_576 } as const;
/** Tokens that are left for the answer when the budget would take all. */
const ANSWER_TOKENS = 1024;

/**
 * How much a model thinks, by its version:
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and
 * https://platform.claude.com/docs/en/build-with-claude/effort. Without an effort, older models do not think, and newer
 * ones have their default.
 */
export function thinkingOf(
  { modelName, reasoningEffort, reasoningFormat }: LlmDefinition,
  maxTokens: number,
): Pick<MessageCreateParamsBase, 'thinking' | 'output_config'> {
  const effort = reasoningEffort === 'default' ? null : (reasoningEffort ?? null);
  const display = reasoningFormat === 'parsed' ? 'summarized' : 'omitted';
  if ((versionOf(modelName) ?? ADAPTIVE_SINCE) >= ADAPTIVE_SINCE) {
    return {
      ...(effort === null ? {} : { output_config: { effort } }),
      ...(effort === null && display === 'omitted' ? {} : { thinking: { type: 'adaptive', display } }),
    };
  }
  const budget = effort === null ? 0 : Math.min(THINKING_BUDGET[effort], maxTokens - ANSWER_TOKENS);
  return budget < THINKING_BUDGET.low ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * @returns the version in a model's name, with the minor version as hundredths: 4.06 for `claude-opus-4-6` and
 * `anthropic/claude-opus-4.6`, 3.07 for `claude-3-7-sonnet-20250219`. Null for a name without a version.
 */
export function versionOf(modelName: string): number | null {
  const numbers = /claude(?:-[a-z]+)*-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/i.exec(modelName);
  return numbers === null ? null : Number(numbers[1]) + Number(numbers[2] ?? 0) / 100;
}

/** Most thoughts to keep. A conversation window has fewer calls than this. */
const MAX_THOUGHTS = 200;
/** Most characters of the thoughts before one call: three times as many as 8,000 tokens. */
const MAX_THOUGHT_LENGTH = 96 * 1024;

/**
 * The thoughts before calls. A thought belongs to everything that came before it. With another beginning, the API
 * refuses it (https://platform.claude.com/docs/en/build-with-claude/preserved-thinking), so then it is left out.
 */
export class Thoughts {
  readonly #kept = new Map<string, { readonly before: string; readonly thoughts: readonly Thought[] }>();

  /** @param before fingerprint of the request: see `fingerprint`. */
  remember(before: string, calls: readonly LlmToolCall[], thoughts: readonly Thought[]): void {
    const length = thoughts.reduce((sum, thought) => sum + JSON.stringify(thought).length, 0);
    if (calls.length === 0 || length === 0 || length > MAX_THOUGHT_LENGTH || !thoughts.every(isSigned)) return;
    this.#kept.set(keyOf(calls), { before, thoughts });
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MAX_THOUGHTS && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** @returns the thoughts before these calls, if the request had the same fingerprint. */
  recall(before: string, calls: readonly LlmToolCall[]): readonly Thought[] {
    const kept = this.#kept.get(keyOf(calls));
    return kept?.before === before ? kept.thoughts : [];
  }
}

/** A thought ends with its signature. */
function isSigned(thought: Thought): boolean {
  return thought.type === 'redacted_thinking' || thought.signature !== '';
}

/** Calls come back with ids of the session, so they are identified by their name and arguments. */
function keyOf(calls: readonly LlmToolCall[]): string {
  return fingerprint(calls.map(({ name, arguments: args }) => [name, args]));
}

export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
