import type { LlmMessage } from '../../ports.ts';

/** As the system prompt of a meeting says it (`actors/meeting/meeting-prompt.ts`). */
const SEEN_AS = /\nYou are a participant of a web meeting\. The others see you as "([^"]+)"\./;

/** How the actors mark their own instructions. */
export const INSTRUCTION = /^\[instruction\b/i;

/**
 * In a meeting, a message of the user has a line for each speaker: "Alice: Elena, what time is it?". The rules of this
 * LLM know one user, so they get the words of the line that names the persona, or else of the last one.
 */
export function mergeParticipants(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  const name = messages[0]?.role === 'system' ? SEEN_AS.exec(messages[0].content)?.[1]?.split(' ')[0] : undefined;
  if (name === undefined) return messages;
  return messages.map((message) =>
    message.role === 'user' && !INSTRUCTION.test(message.content)
      ? { ...message, content: question(message.content, name.toLowerCase()) }
      : message,
  );
}

function question(talk: string, name: string): string {
  const lines = talk.split('\n').map((line) => line.replace(/^[^:]+: /, ''));
  const words = lines.findLast((line) => line.toLowerCase().includes(name)) ?? lines.at(-1) ?? '';
  const named = words.toLowerCase().startsWith(name) ? words.slice(name.length).replace(/^[\s,]+/, '') : words;
  return named === '' ? words : named;
}
