import { ReplyText } from '../../actors/text/reply-text.ts';

/** Silence between two sentences, and between two paragraphs: what a calm reader leaves. */
export const SENTENCE_PAUSE_MS = 260;
export const PARAGRAPH_PAUSE_MS = 700;

/** A piece of a script that is spoken in one go. */
export interface ScriptSentence {
  /** Plain text, never empty. */
  readonly text: string;
  /** Silence after it. */
  readonly pauseMs: number;
  /** Directions inside it (`[happy]`), by place: 0 (its start) … 1 (its end). */
  readonly cues: readonly { readonly tag: string; readonly place: number }[];
}

/**
 * Cuts a script into sentences, as the words of a live persona are: markup is not read out, directions in brackets are
 * acted.
 * @param script plain text; blank lines separate paragraphs. @param language ISO 639-1, or null when unknown.
 */
export function scriptSentences(script: string, language: string | null): ScriptSentence[] {
  const sentences: ScriptSentence[] = [];
  for (const paragraph of script.split(/\n\s*\n/)) {
    const reader = new ReplyText({ language, shortFirst: false });
    const spoken = [...reader.push(paragraph), ...reader.end()].flatMap((part) =>
      part.kind === 'segment' ? [part] : [],
    );
    spoken.forEach(({ text, cues }, i) =>
      sentences.push({
        text,
        pauseMs: i === spoken.length - 1 ? PARAGRAPH_PAUSE_MS : SENTENCE_PAUSE_MS,
        cues: cues.map(({ tag, offset }) => ({ tag, place: offset / text.length })),
      }),
    );
  }
  return sentences;
}
