import type { LlmMessage } from '../../ports.ts';

/**
 * Makes a conversation fit into the context of its model. The prompt of the persona and the last words of the user
 * always stay. First the oldest turns go, a call together with its result, then long results and pieces of information
 * are cut.
 */

/** Characters of a result, or of information from the application, where even the shortest conversation is too long. */
const MAX_PIECE = 1_000;
const CUT = ' … (cut: it is too long)';

/** @param most characters of all messages. */
export function shortenConversation(messages: readonly LlmMessage[], most: number): readonly LlmMessage[] {
  if (sizeOf(messages) <= most) return messages;
  const system = messages.filter(({ role }, at) => role === 'system' && at === 0);
  const rest = messages.slice(system.length);
  const question = rest.findLastIndex(({ role }) => role === 'user');
  let from = 0;
  while (from < question && sizeOf(system) + sizeOf(rest.slice(from)) > most) from = nextTurn(rest, from, question);
  const kept = rest.slice(from);
  if (sizeOf(system) + sizeOf(kept) <= most) return [...system, ...kept];
  const asked = rest[question];
  return [...system, ...kept.map((message) => (message === asked ? message : cut(message)))];
}

/** @returns where the next turn begins: never between a call and its results. */
function nextTurn(messages: readonly LlmMessage[], from: number, question: number): number {
  let at = from + 1;
  while (at < question && messages[at]?.role === 'tool') at += 1;
  return at;
}

function cut(message: LlmMessage): LlmMessage {
  if (message.role === 'assistant' || message.content.length <= MAX_PIECE) return message;
  return { ...message, content: `${message.content.slice(0, MAX_PIECE)}${CUT}` };
}

/** Characters of what a model reads. */
export function sizeOf(messages: readonly LlmMessage[]): number {
  return messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return (
      sum + message.content.length + calls.reduce((all, call) => all + call.name.length + call.arguments.length, 0)
    );
  }, 0);
}
