import { randomUUID } from 'node:crypto';
import type { LlmToolCall } from '../ports.ts';
import { checkToolCalls } from './answer-limits.ts';

/**
 * Joins tool calls. They arrive in pieces: first name and id, then the arguments, some characters at a time, and
 * several calls may alternate.
 */
export class ToolCallParts {
  #parts = new Map<number, { id: string; name: string; arguments: string }>();
  #lastIndex = -1;

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  /**
   * @param delta.index number of the call in the answer. Some providers leave it out; then an id begins a new call.
   * @throws AnswerLimitError
   */
  add(delta: {
    index?: number | null;
    id?: string | null;
    function?: { name?: string | null; arguments?: string | null } | null;
  }): void {
    const startsCall = Boolean(delta.id) && ![...this.#parts.values()].some(({ id }) => id === delta.id);
    const index = delta.index ?? (startsCall ? this.#lastIndex + 1 : Math.max(0, this.#lastIndex));
    this.#lastIndex = index;
    const part = this.#parts.get(index) ?? { id: '', name: '', arguments: '' };
    this.#parts.set(index, part);
    if (delta.id) part.id = delta.id;
    part.name += delta.function?.name ?? '';
    part.arguments += delta.function?.arguments ?? '';
    checkToolCalls(this.#parts.size, part);
  }

  /** The finished calls in order, without calls that have no name. */
  calls(): LlmToolCall[] {
    return [...this.#parts.entries()]
      .toSorted(([a], [b]) => a - b)
      .filter(([, part]) => part.name !== '')
      .map(([, part]) => ({
        id: part.id === '' ? `fc_${randomUUID()}` : part.id,
        name: part.name,
        arguments: part.arguments === '' ? '{}' : part.arguments,
      }));
  }
}
