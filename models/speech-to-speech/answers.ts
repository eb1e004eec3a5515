import type { ProviderError } from '../ports.ts';
import { Answer, type AnswerKind } from './answer.ts';

/** Answers whose sound is kept: one that is heard, one that waits behind it, and those before. */
const MAX_KEPT = 6;

/** The answers of a session, the oldest first. */
export class Answers {
  #list: Answer[] = [];
  #count = 0;

  /** One that is asked for now. */
  add(kind: AnswerKind): Answer {
    this.#count += 1;
    const answer = new Answer(`a${this.#count}`, kind);
    this.#list.push(answer);
    for (const old of this.#list.slice(0, -MAX_KEPT)) if (old.isOver) old.speech.close();
    this.#list = this.#list.filter((old, at) => at >= this.#list.length - MAX_KEPT || !old.isOver);
    return answer;
  }

  /** The server has begun one. A server that does not repeat tags begins what was asked for first. */
  begun(responseId: string, tag: string | null): Answer {
    const waiting = this.#list.filter((answer) => answer.responseId === null && !answer.isOver);
    const tagged = waiting.find((answer) => answer.tag === tag);
    const answer = tagged ?? (tag === null ? waiting[0] : undefined) ?? this.add('ahead');
    answer.responseId = responseId;
    return answer;
  }

  of(responseId: string): Answer | null {
    return this.#list.find((answer) => answer.responseId === responseId) ?? null;
  }

  withTag(tag: string): Answer | null {
    return this.#list.find((answer) => answer.tag === tag) ?? null;
  }

  /** Those of the conversation that are not over. A server makes one at a time. */
  get running(): readonly Answer[] {
    return this.#list.filter((answer) => answer.kind !== 'reading' && !answer.isOver);
  }

  /** The newest that the session has not asked for. */
  get ahead(): Answer | null {
    const last = this.#list.findLast(({ kind }) => kind !== 'reading');
    return last?.kind === 'ahead' && last.error === null ? last : null;
  }

  /** Those that were stopped, and were not said on. */
  get cut(): readonly Answer[] {
    return this.#list.filter(({ kind, speech }) => kind === 'asked' && speech.fate === 'cut');
  }

  /** Whether something is said now, or may be said on. */
  get isBusy(): boolean {
    const last = this.#list.findLast(({ kind }) => kind === 'asked');
    return last !== undefined && last.error === null && last.speech.isUnheard;
  }

  /**
   * @param text the words that are known so far. @returns the answer that is to be heard next; null: none has these words.
   * What was given up is not said any more.
   */
  saying(text: string): Answer | null {
    return this.#list.find(({ kind, speech }) => kind === 'asked' && speech.isUnsaid && speech.has(text)) ?? null;
  }

  /** The connection is gone. The next one may give the same ids again. */
  failAll(error: ProviderError): void {
    for (const answer of this.#list) {
      answer.fail(error);
      answer.responseId = null;
    }
  }

  close(): void {
    for (const { speech } of this.#list) speech.close();
    this.#list = [];
  }
}
