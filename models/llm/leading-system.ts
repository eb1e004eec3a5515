import type { LlmMessage } from '../ports.ts';

/** Separates the system messages at the beginning from the conversation, for APIs with a field for them. */
export function splitLeadingSystem(messages: readonly LlmMessage[]): {
  /** One paragraph for each; empty when there is none. */
  readonly system: string;
  readonly conversation: readonly LlmMessage[];
} {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const count = first === -1 ? messages.length : first;
  const leading = messages.slice(0, count).map(({ content }) => content);
  return { system: leading.join('\n\n'), conversation: messages.slice(count) };
}
