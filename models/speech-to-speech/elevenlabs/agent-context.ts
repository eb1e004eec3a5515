import type { LlmMessage } from '../../ports.ts';
import { givenIds, letters } from '../conversation-items.ts';
import { readExpressiveTags } from './expressive-tags.ts';

/** Of one update, UTF-16 units. */
const MAX_UPDATE_LENGTH = 8_000;
/** The agent's own guess is as good: both place words by time. */
const SAME_WORDS = 2;

export interface ToolResult {
  readonly type: 'client_tool_result';
  readonly tool_call_id: string;
  readonly result: string;
  readonly is_error: boolean;
}

/** Background that is no turn of anybody. */
export function contextualUpdate(text: string): Readonly<Record<string, unknown>> {
  return { type: 'contextual_update', text: text.slice(-MAX_UPDATE_LENGTH) };
}

/** @param open ids of calls, as the agent gave them, that it has no result of. */
export function toolResults(messages: readonly LlmMessage[], open: ReadonlySet<string>): ToolResult[] {
  const given = givenIds(messages);
  return messages.flatMap((message): ToolResult[] => {
    if (message.role !== 'tool') return [];
    const id = given.get(message.toolCallId) ?? '';
    if (!open.has(id)) return [];
    const is_error = message.content.startsWith('Error: ');
    return [{ type: 'client_tool_result', tool_call_id: id, result: message.content, is_error }];
  });
}

/**
 * @param heard what the agent has understood since the last request. @returns what the user has written instead of said
 * it; null: nothing.
 */
export function typedWords(messages: readonly LlmMessage[], heard: string): string | null {
  const last = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  const voice = letters(heard);
  const typed = messages
    .slice(last + 1)
    .flatMap((message) => (message.role === 'user' ? [message.content] : []))
    .filter((text) => !voice.includes(letters(text)));
  return typed.length === 0 ? null : typed.join('\n');
}

/** @returns what the agent is told if its user heard less of it, or more, than it believes; null: it knows. */
export function heardOnly(heard: string, believed: string): string | null {
  const count = (text: string): number => text.match(/\S+/gu)?.length ?? 0;
  if (Math.abs(count(heard) - count(believed)) <= SAME_WORDS) return null;
  const whole = 'Your last message was stopped.';
  return heard === ''
    ? `${whole} The user heard nothing of it.`
    : `${whole} The user heard only this of it: "${heard}"`;
}

/** @returns whether an agent that has begun anew says what it greeted this user with, or what was heard of that. */
export function greetsAgain(text: string, messages: readonly LlmMessage[]): boolean {
  // What came behind the user's first words is an answer, and may be said again.
  const first = messages.find(({ role }) => role !== 'system');
  const isGreeting = first?.role === 'assistant' && first.content !== '';
  return isGreeting && letters(readExpressiveTags(text).said).startsWith(letters(first.content));
}

/**
 * @param last what was heard since. @returns the conversation for an agent that has begun anew; null: there was none.
 */
export function conversationSoFar(messages: readonly LlmMessage[], last = ''): string | null {
  const lines = messages.flatMap((message) => {
    if (message.role === 'user') return [`User: ${message.content}`];
    return message.role === 'assistant' && message.content !== '' ? [`You: ${message.content}`] : [];
  });
  if (last !== '') lines.push(`You: ${last}`);
  if (lines.length === 0) return null;
  return `The connection was interrupted. Go on with this conversation, and do not greet again:\n${lines.join('\n')}`;
}
