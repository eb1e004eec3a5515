import type { LlmEvent } from '../../../models/ports.ts';

/** Reasons of providers for an answer that ends before the model is done, and what they mean. */
const CUTS: readonly (readonly [reason: RegExp, words: string])[] = [
  [/^(length|max_?(output_)?tokens|model_length|model_context_window_exceeded)$/i, 'it reached its longest length'],
  [/filter|safety|refusal|prohibited|blocklist|recitation|spii|guardrail/i, 'it was filtered'],
  [/abort|cancel|error|incomplete|insufficient/i, 'the provider ended it'],
];
/** The end of a sentence, perhaps in quotes or brackets. */
const SENTENCE_END = /[.!?…。！？؟।:;]["'”’»)\]*]*\s*$/u;

/** Whether an answer ends in the middle of a sentence, and why. */
export class AnswerEnding {
  #tail = '';
  #reason = '';

  take(event: LlmEvent): void {
    if (event.type === 'text') this.#tail = (this.#tail + event.text).slice(-20);
    else if (event.type === 'tool-call') this.#tail = '';
    else if (event.type === 'done') this.#reason = event.finishReason;
  }

  /** @returns what happened, in words for the client; null when the answer is whole. */
  cut(): string | null {
    if (this.#tail.trim() === '' || SENTENCE_END.test(this.#tail)) return null;
    const [, words] = CUTS.find(([reason]) => reason.test(this.#reason)) ?? [];
    return words === undefined ? null : `The answer of the language model ends in the middle of a sentence: ${words}.`;
  }
}
