import type { ClientEvent } from '../client-events.ts';
import { letters } from '../conversation-items.ts';

/** An item of the conversation, as it is told to the model. */
export interface ConversationItem {
  readonly id: string;
  readonly kind: 'user' | 'assistant' | 'system' | 'call' | 'result';
  text: string;
  readonly callId: string;
  readonly name: string;
}

interface CreatedItem {
  readonly id: string;
  readonly type: string;
  readonly role?: 'user' | 'assistant' | 'system';
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: string;
  readonly content?: readonly { readonly text: string }[];
}

/**
 * With so many items after it, an item is deleted because the conversation has outgrown what the session shows a model
 * (20 messages), and not because it should never have been heard: that is known before the next answer.
 */
const OUTGROWN_AFTER_ITEMS = 10;

type Turn = Readonly<Record<string, unknown>>;

/**
 * The items of the conversation, and which of them the model was told. Items can only be added to what the model
 * remembers. If it remembers something that changed, it has to begin again with all items.
 */
export class GeminiConversation {
  #items: ConversationItem[] = [];
  readonly #told = new Set<string>();
  /** Whether the model remembers something that has changed since. */
  isStale = false;

  /** An item that the model knows by itself: what it has heard, says or calls. */
  knows(item: ConversationItem): void {
    this.#items.push(item);
    this.#told.add(item.id);
  }

  /** A `conversation.item.create`. */
  create(event: ClientEvent): void {
    const item = itemOf(event['item'] as CreatedItem, (callId) => this.#nameOf(callId));
    const after = event['previous_item_id'];
    const at = after === 'root' ? 0 : this.#items.findIndex(({ id }) => id === after) + 1;
    if (at < this.#items.length) this.isStale = true;
    this.#items.splice(at, 0, item);
  }

  /**
   * An old item that the session shows no more may stay in the model's memory, whose service drops the oldest itself. With
   * a new connection for it, each turn of a long conversation waited for one.
   */
  delete(id: string): void {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at === -1) return;
    if (this.#told.has(id) && this.#items.length - at <= OUTGROWN_AFTER_ITEMS) this.isStale = true;
    this.#items.splice(at, 1);
  }

  /** Only a part of it was heard. @param share 0…1 of its sound. */
  truncate(id: string, share: number): void {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item === undefined) return;
    // Long words take longer than short ones.
    const heard = letters(item.text).length * share;
    let said = 0;
    const words = (item.text.match(/\S+/gu) ?? []).filter((word) => {
      const length = letters(word).length;
      said += length;
      return said - length / 2 < heard;
    });
    item.text = words.join(' ');
    this.isStale = true;
  }

  says(id: string, text: string): void {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item !== undefined) item.text += text;
  }

  /** Items that the model was not told of. */
  untold(): readonly ConversationItem[] {
    return this.#items.filter(({ id }) => !this.#told.has(id));
  }

  /** The session goes on with another connection, where the model knows these. What came later is told again. */
  resume(known: readonly ConversationItem[]): void {
    const ids = new Set(known.map(({ id }) => id));
    for (const id of this.#told) if (!ids.has(id)) this.#told.delete(id);
    for (const item of known) {
      this.#told.add(item.id);
      if (!this.#items.some(({ id }) => id === item.id)) this.#items.push(item);
    }
  }

  /** @returns what the model knows now. */
  known(): readonly ConversationItem[] {
    return this.all()
      .filter(({ id }) => this.#told.has(id))
      .map((item) => ({ ...item }));
  }

  /** The model was told of all. */
  told(): void {
    for (const { id } of this.#items) this.#told.add(id);
    this.isStale = false;
  }

  all(): readonly ConversationItem[] {
    return this.#items.filter(({ text, kind }) => text !== '' || kind === 'result');
  }

  #nameOf(callId: string): string {
    return this.#items.find((item) => item.kind === 'call' && item.callId === callId)?.name ?? 'function';
  }
}

function itemOf(given: CreatedItem, nameOf: (callId: string) => string): ConversationItem {
  const { id, type, role = 'user', call_id: callId = '' } = given;
  if (type === 'function_call')
    return { id, kind: 'call', text: given.arguments ?? '{}', callId, name: given.name ?? 'function' };
  if (type === 'function_call_output')
    return { id, kind: 'result', text: given.output ?? '', callId, name: nameOf(callId) };
  return { id, kind: role, text: (given.content ?? []).map(({ text }) => text).join('\n'), callId: '', name: '' };
}

export function turnsOf(items: readonly ConversationItem[]): Turn[] {
  return items.map(({ kind, text, callId, name }) => {
    switch (kind) {
      case 'user':
        return { role: 'user', parts: [{ text }] };
      case 'assistant':
        return { role: 'model', parts: [{ text: text.trim() }] };
      case 'system':
        return { role: 'user', parts: [{ text: `(Information for you, not said by the user: ${text})` }] };
      case 'call':
        return { role: 'model', parts: [{ functionCall: { id: callId, name, args: objectOf(text) } }] };
      case 'result':
        return { role: 'user', parts: [{ functionResponse: functionResponse({ callId, name, text }) }] };
    }
  });
}

export function functionResponse({ callId, name, text }: Pick<ConversationItem, 'callId' | 'name' | 'text'>) {
  return { id: callId, name, response: { output: text } };
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
