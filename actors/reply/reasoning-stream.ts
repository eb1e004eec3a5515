import type { ReasoningText } from '../messages.ts';

/** Chunks of the LLM's reasoning for the client, with one last chunk at its end. */
export interface ReasoningStream {
  readonly index: number;
  readonly state: 'silent' | 'open';
}

export const NO_REASONING: ReasoningStream = { index: 0, state: 'silent' };

export function think(
  stream: ReasoningStream,
  messageId: string,
  content: string,
): { stream: ReasoningStream; data: ReasoningText } {
  return {
    stream: { index: stream.index + 1, state: 'open' },
    data: { message_id: messageId, content_index: stream.index, content, role: 'persona', end_of_thought: false },
  };
}

/** @returns null when nothing is open. */
export function endThought(
  stream: ReasoningStream,
  messageId: string,
): { stream: ReasoningStream; data: ReasoningText } | null {
  if (stream.state === 'silent') return null;
  return {
    stream: { index: stream.index + 1, state: 'silent' },
    data: { message_id: messageId, content_index: stream.index, content: '', role: 'persona', end_of_thought: true },
  };
}
