import { AnswerLimitError, type AnswerLimits } from '../http/answer-limits.ts';
import type { LlmToolCall } from '../ports.ts';

/** What one answer of a language model may hold. Everything larger is a model, or an endpoint, running wild. */

/**
 * A token comes in an event of about 250 bytes, so an answer has room for 60,000 of them, reasoning included. No event
 * of a real endpoint comes near half a megabyte; reading one as JSON keeps the thread for 3 ms.
 */
export const LLM_ANSWER: AnswerLimits = {
  bodyBytes: 16 * 1024 * 1024,
  unit: { kind: 'event', bytes: 512 * 1024 },
  // Whoever asked has been waiting, or listening, for all this time.
  wholeMs: 5 * 60_000,
};

/** Tool calls in one answer: three times what a turn may make. */
const MOST_TOOL_CALLS = 30;
/** Characters of one call, name and arguments: a session refuses longer ones, too. */
const LONGEST_TOOL_CALL = 64 * 1024;

/** @throws AnswerLimitError when an answer asks for more, or for something larger, than any conversation needs. */
export function checkToolCalls(count: number, call: Pick<LlmToolCall, 'name' | 'arguments'>): void {
  if (count > MOST_TOOL_CALLS)
    throw new AnswerLimitError('too-long', `asked for more than ${MOST_TOOL_CALLS} tools at once`);
  if (call.name.length + call.arguments.length <= LONGEST_TOOL_CALL) return;
  throw new AnswerLimitError('too-long', `sent a tool call of more than ${LONGEST_TOOL_CALL / 1024} KiB`);
}
