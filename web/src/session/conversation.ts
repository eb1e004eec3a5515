import type { DataMessage } from './data-messages.ts';

export interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'persona';
  readonly text: string;
  readonly state: 'open' | 'complete' | 'interrupted';
  /** Page time in ms when it began. */
  readonly at: number;
}

/** Adds one chunk of speech. Chunks of a message are joined unchanged; an empty message disappears. */
export function withSpeech(
  messages: readonly ChatMessage[],
  chunk: Extract<DataMessage, { kind: 'speech' }>,
  at: number,
): readonly ChatMessage[] {
  const id = `${chunk.role}:${chunk.messageId}`;
  const index = messages.findIndex((message) => message.id === id);
  const known = messages[index];
  const text = (known?.text ?? '') + chunk.text;
  const state = chunk.interrupted ? 'interrupted' : chunk.last ? 'complete' : 'open';
  if (known === undefined)
    return text === '' && chunk.last ? messages : [...messages, { id, role: chunk.role, text, state, at }];
  return messages.with(index, { ...known, text, state });
}

/** The service does not echo what was typed. */
export function withTyped(messages: readonly ChatMessage[], text: string, at: number): readonly ChatMessage[] {
  return [...messages, { id: `typed:${messages.length}`, role: 'user', text, state: 'complete', at }];
}

/** The text to show under the face: the message that is being spoken, or the newest. */
export function captionOf(messages: readonly ChatMessage[]): ChatMessage | null {
  return (
    messages.findLast((message) => message.state === 'open' && message.text !== '') ??
    messages.findLast((message) => message.text !== '') ??
    null
  );
}
