import { AnswerLimitError, type AnswerLimits } from '../http/answer-limits.ts';
import type { LlmToolCall } from '../ports.ts';

/** Limits for one answer of an LLM. A larger answer means that a model or an endpoint does not stop. */

/**
 * A token comes in an event of about 250 bytes, so an answer has room for 60,000 tokens with its reasoning. Real events
 * are far smaller than half a megabyte. Parsing one as JSON blocks the thread for 3 ms.
 */
export const LLM_ANSWER: AnswerLimits = {
  bodyBytes: 16 * 1024 * 1024,
  unit: { kind: 'event', bytes: 512 * 1024 },
  // The user has waited, or listened, for all this time.
  wholeMs: 5 * 60_000,
};

/** Most tool calls in one answer: three times what a turn may make. */
const MAX_TOOL_CALLS = 30;
/** Most characters of one call, name and arguments. A session refuses longer ones, too. */
const MAX_TOOL_CALL_LENGTH = 64 * 1024;

/** @throws AnswerLimitError when an answer has too many calls, or one that is too large. */
export function checkToolCalls(count: number, call: Pick<LlmToolCall, 'name' | 'arguments'>): void {
  if (count > MAX_TOOL_CALLS)
    throw new AnswerLimitError('too-long', `asked for more than ${MAX_TOOL_CALLS} tools at once`);
  if (call.name.length + call.arguments.length <= MAX_TOOL_CALL_LENGTH) return;
  throw new AnswerLimitError('too-long', `sent a tool call of more than ${MAX_TOOL_CALL_LENGTH / 1024} KiB`);
}
