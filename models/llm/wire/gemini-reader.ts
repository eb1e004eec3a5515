import type { LlmEvent, LlmToolCall } from '../../ports.ts';
import { checkToolCalls } from '../answer-limits.ts';
import type { GeminiPart } from '../gemini-body.ts';
import { newCallId } from '../request/call-ids.ts';
import { refusalInFrame } from '../request/refusal.ts';
import { BrokenAnswerError, RefusedError, type AnswerEnd, type AnswerReader } from './answer-reader.ts';
import { cleanArguments } from './call-assembly.ts';
import { cleanName } from './clean-name.ts';
import type { Frame } from './frames.ts';
import { LeakedCalls } from './leaked-calls.ts';
import { isFiltered } from './openai-reader.ts';

interface GeminiChunk {
  candidates?: { index?: number; content?: { parts?: GeminiPart[] }; finishReason?: string }[];
  promptFeedback?: { blockReason?: string };
}

/** Reads the chunks of `streamGenerateContent` (https://ai.google.dev/api/generate-content). */
export class GeminiReader implements AnswerReader {
  readonly #names: ReadonlySet<string>;
  readonly #leaks: LeakedCalls;
  readonly #calls: LlmToolCall[] = [];
  readonly #mayBeEmpty: boolean;
  readonly #remember: (call: LlmToolCall, signature: string) => void;
  #finishReason: string | null = null;
  #spoke = false;
  unread = 0;

  /** @param remember called with the signature of each call that has one. */
  constructor(names: readonly string[], mayBeEmpty: boolean, remember: (call: LlmToolCall, signature: string) => void) {
    this.#names = new Set(names);
    this.#leaks = new LeakedCalls(names);
    this.#mayBeEmpty = mayBeEmpty;
    this.#remember = remember;
  }

  get isComplete(): boolean {
    return this.#finishReason !== null;
  }

  take(frame: Frame): readonly LlmEvent[] | null {
    const refusal = refusalInFrame(frame);
    if (refusal !== null) throw new RefusedError(refusal);
    const { candidates, promptFeedback } = frame as GeminiChunk;
    if (promptFeedback?.blockReason) throw new BrokenAnswerError('declined', 'the prompt was blocked');
    const candidate = candidates?.find(({ index }) => (index ?? 0) === 0);
    const parts = [candidate?.content?.parts ?? []].flat();
    const events = parts.flatMap((part) => this.#take(part));
    const before = this.#calls.length;
    this.#finishReason = candidate?.finishReason || this.#finishReason;
    const says = parts.some(({ text, functionCall }) => Boolean(text) || functionCall !== undefined);
    return says || candidate?.finishReason || this.#calls.length > before ? events : null;
  }

  #take({ text, thought, functionCall, thoughtSignature }: GeminiPart): LlmEvent[] {
    const events: LlmEvent[] = [];
    if (typeof text === 'string' && text !== '') {
      if (thought === true) events.push({ type: 'reasoning', text });
      else events.push(...this.#sift(this.#leaks.push(text)));
    }
    if (typeof functionCall?.name !== 'string') return events;
    const args: unknown = functionCall.args;
    const call = {
      id: functionCall.id || newCallId(),
      name: cleanName(functionCall.name, this.#names),
      arguments: typeof args === 'string' ? cleanArguments(args) : JSON.stringify(args ?? {}),
    };
    this.#calls.push(call);
    checkToolCalls(this.#calls.length, call);
    if (typeof thoughtSignature === 'string') this.#remember(call, thoughtSignature);
    return events;
  }

  #sift(sifted: ReturnType<LeakedCalls['push']>): LlmEvent[] {
    this.#calls.push(...sifted.calls);
    this.unread += sifted.unread;
    if (sifted.text.trim() !== '') this.#spoke = true;
    return sifted.text === '' ? [] : [{ type: 'text', text: sifted.text }];
  }

  end(_end: AnswerEnd): readonly LlmEvent[] {
    const events = this.#sift(this.#leaks.end());
    const reason = this.#finishReason;
    if (reason === null) throw new BrokenAnswerError('broken', 'the stream ended without a finish reason');
    if (/MALFORMED|UNEXPECTED_TOOL|TOO_MANY_TOOL/.test(reason) && this.#calls.length === 0)
      throw new BrokenAnswerError('broken', 'the model wrote a tool call that its provider could not read');
    if (!this.#spoke && this.#calls.length === 0 && this.unread === 0) {
      if (isFiltered(reason)) throw new BrokenAnswerError('declined', 'the answer was filtered');
      if (!this.#mayBeEmpty) throw new BrokenAnswerError('empty', 'the answer is empty');
    }
    return [
      ...events,
      ...this.#calls.map((call) => ({ type: 'tool-call', call }) as const),
      { type: 'done', finishReason: reason.toLowerCase() },
    ];
  }
}
