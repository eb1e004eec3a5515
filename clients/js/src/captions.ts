import type { MessageStreamEvent } from './server-messages.ts';

export interface CaptionWord {
  /** With the space and punctuation that follow it. */
  readonly text: string;
  /** When it was heard: ms since the session began. */
  readonly atMs: number;
}

/** What one message says, word by word as it is heard. */
export interface Caption {
  readonly messageId: string;
  readonly role: 'user' | 'persona';
  readonly text: string;
  readonly words: readonly CaptionWord[];
  readonly state: 'open' | 'complete' | 'interrupted';
}

/**
 * The service sends the persona's words in step with the sound, so the time of a piece is the time of its words.
 * @param caption that of the message before, or of the same message. @param atMs since the session began.
 */
export function captionAfter(caption: Caption | null, event: MessageStreamEvent, atMs: number): Caption {
  const same = caption?.messageId === event.id ? caption : null;
  return {
    messageId: event.id,
    role: event.role,
    text: (same?.text ?? '') + event.content,
    words: withWords(same?.words ?? [], event.content, atMs),
    state: event.interrupted ? 'interrupted' : event.endOfSpeech ? 'complete' : 'open',
  };
}

function withWords(words: readonly CaptionWord[], content: string, atMs: number): readonly CaptionWord[] {
  const pieces = content.match(/^\s+|\S+\s*/g) ?? [];
  const next = [...words];
  for (const text of pieces) {
    const last = next.at(-1);
    const continues = last !== undefined && (text.trim() === '' || !/\s$/.test(last.text));
    if (continues) next[next.length - 1] = { ...last, text: last.text + text };
    else if (text.trim() !== '') next.push({ text, atMs });
  }
  return next;
}
