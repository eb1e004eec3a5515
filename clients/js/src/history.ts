import type { MessageStreamEvent, ReasoningStreamEvent } from './server-messages.ts';

export interface MessageUtterance {
  readonly id: string;
  readonly content: string;
}

/** What was said or typed. Of an interrupted message, only what was heard. */
export interface Message {
  readonly id: string;
  readonly role: 'user' | 'persona';
  readonly content: string;
  readonly state: 'open' | 'complete' | 'interrupted';
  readonly interrupted: boolean;
  /** When it began: ms since the session began. */
  readonly atMs: number;
  /** Of a talk stream whose utterances have ids. */
  readonly utterances?: readonly MessageUtterance[];
}

/**
 * Adds one piece of speech. Pieces are joined unchanged. A message of which nothing was heard disappears.
 * @param atMs since the session began.
 */
export function withSpeech(messages: readonly Message[], event: MessageStreamEvent, atMs: number): readonly Message[] {
  const index = messages.findIndex(({ id }) => id === event.id);
  const known = messages[index];
  const content = (known?.content ?? '') + event.content;
  if (known === undefined && content === '' && event.endOfSpeech) return messages;
  const interrupted = (known?.interrupted ?? false) || event.interrupted;
  const utterances = withUtterance(known?.utterances ?? [], event);
  const message: Message = {
    id: event.id,
    role: event.role,
    content,
    state: interrupted ? 'interrupted' : event.endOfSpeech ? 'complete' : 'open',
    interrupted,
    atMs: known?.atMs ?? atMs,
    ...(utterances.length > 0 && { utterances }),
  };
  return known === undefined ? [...messages, message] : messages.with(index, message);
}

function withUtterance(
  utterances: readonly MessageUtterance[],
  { utteranceId, content }: MessageStreamEvent,
): readonly MessageUtterance[] {
  if (utteranceId === undefined) return utterances;
  const index = utterances.findIndex(({ id }) => id === utteranceId);
  const known = utterances[index];
  if (known !== undefined) return utterances.with(index, { id: utteranceId, content: known.content + content });
  // The space that joins it to the utterance before belongs to the message.
  return [...utterances, { id: utteranceId, content: utterances.length > 0 ? content.replace(/^ /, '') : content }];
}

/** The service does not repeat what was typed. */
export function withTyped(messages: readonly Message[], content: string, atMs: number): readonly Message[] {
  return [
    ...messages,
    { id: `user::typed-${messages.length}`, role: 'user', content, state: 'complete', interrupted: false, atMs },
  ];
}

export function withReasoning(
  messages: readonly Message[],
  event: ReasoningStreamEvent,
  atMs: number,
): readonly Message[] {
  const { id, role, content, endOfThought } = event;
  return withSpeech(
    messages,
    { id, role, content, contentIndex: 0, endOfSpeech: endOfThought, interrupted: false, correlationId: '' },
    atMs,
  );
}
