import type { LlmEvent, ProviderError } from '../ports.ts';
import { ResponseSpeech } from './response-speech.ts';

/**
 * Why an answer is made. `asked`: the session asked for it. `ahead`: it began before the session asked, with the user's last
 * words. `reading`: a given text is spoken.
 */
export type AnswerKind = 'asked' | 'ahead' | 'reading';

/** One response of the model: events for the reply, and sound for the voice. */
export class Answer {
  readonly tag: string;
  kind: AnswerKind;
  /** Null: the server has not begun it. */
  responseId: string | null = null;
  /** Its message in the model's conversation. Null: it has none so far. */
  itemId: string | null = null;
  readonly speech = new ResponseSpeech();
  readonly #events: LlmEvent[] = [];
  #sound: 'none' | 'some' = 'none';
  #outcome: 'running' | 'done' | ProviderError = 'running';
  #changed = Promise.withResolvers<void>();

  constructor(tag: string, kind: AnswerKind) {
    this.tag = tag;
    this.kind = kind;
  }

  /** Its sound is heard, also where its words come later. */
  sounds(): void {
    if (this.#sound === 'some') return;
    this.#sound = 'some';
    this.push({ type: 'text', text: '', spoken: true });
  }

  /** The model says more. */
  says(text: string): void {
    this.#sound = 'some';
    this.speech.addText(text);
    this.push({ type: 'text', text, spoken: true });
  }

  get isOver(): boolean {
    return this.#outcome !== 'running';
  }

  get error(): ProviderError | null {
    return this.#outcome === 'running' || this.#outcome === 'done' ? null : this.#outcome;
  }

  push(event: LlmEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  done(finishReason: string): void {
    if (this.isOver) return;
    this.#events.push({ type: 'done', finishReason });
    this.#settle('done');
  }

  fail(error: ProviderError): void {
    if (!this.isOver) this.#settle(error);
  }

  /** Resolves when no more comes. */
  async over(): Promise<void> {
    while (!this.isOver) await this.#changed.promise;
  }

  /** Yields what comes, until the end. @throws ProviderError */
  async *read(signal: AbortSignal): AsyncGenerator<LlmEvent> {
    const aborted = Promise.withResolvers<void>();
    const leave = (): void => aborted.resolve();
    signal.addEventListener('abort', leave, { once: true });
    try {
      while (!signal.aborted) {
        for (const event of this.#events.splice(0)) yield event;
        if (this.#events.length > 0) continue;
        if (this.error !== null) throw this.error;
        if (this.isOver) return;
        await Promise.race([this.#changed.promise, aborted.promise]);
      }
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #settle(outcome: 'done' | ProviderError): void {
    this.#outcome = outcome;
    this.speech.complete();
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
