import type { LlmMessage } from '../ports.ts';
import { changedItems, placeAfter, planChanges, wantedItems, type Change, type Item } from './conversation-items.ts';
import type { ServerItem } from './server-events.ts';

/** What the model remembers on its present connection, as far as the server has told. */
export class ModelConversation {
  #items: readonly Item[] = [];
  #count = 0;

  /** On a new connection it remembers nothing. */
  forget(): void {
    this.#items = [];
  }

  /** A server tells of each item, also of those that were asked for. */
  added(item: ServerItem, after: string | null): void {
    const kind = kindOf(item);
    if (kind === null || item.id === '' || this.has(item.id)) return;
    const added = { id: item.id, kind, text: item.text ?? (kind === 'user' ? null : ''), callId: item.callId };
    const items = [...this.#items];
    items.splice(after === null ? items.length : placeAfter(items, after), 0, added);
    this.#items = items;
  }

  deleted(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  has(id: string): boolean {
    return this.#items.some((item) => item.id === id);
  }

  /** What the user said is understood. */
  understood(id: string, text: string): void {
    this.#change(id, () => text);
  }

  /** The model says more. */
  says(id: string, text: string): void {
    this.#change(id, (before) => (before ?? '') + text);
  }

  /** The model calls a tool. */
  calls(call: ServerItem): void {
    this.added(call, null);
    this.#items = this.#items.map((item) =>
      item.id === call.id ? { ...item, callId: call.callId, text: call.arguments } : item,
    );
  }

  /** @param except items that are not looked at: those of an answer that is being made. */
  changesFor(messages: readonly LlmMessage[], except: string | null): Change[] {
    const items = this.#items.filter(({ id }) => id !== except);
    return planChanges(items, wantedItems(messages), () => `parley_${(this.#count += 1)}`);
  }

  changed(changes: readonly Change[]): void {
    this.#items = changedItems(this.#items, changes);
  }

  #change(id: string, text: (before: string | null) => string): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, text: text(item.text) } : item));
  }
}

function kindOf({ kind, role }: ServerItem): Item['kind'] | null {
  switch (kind) {
    case 'message':
      return role;
    case 'function_call':
      return 'call';
    case 'function_call_output':
      return 'result';
    case 'other':
      return null;
  }
}
