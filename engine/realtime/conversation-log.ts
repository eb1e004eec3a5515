import { newId, type ServerEvent } from './server-events.ts';

/** An item of the conversation, in the form of the interface. */
export type WrittenItem = Readonly<Record<string, unknown>> & { readonly id: string };

/** Items that can be read again. */
const MAX_KEPT = 256;

/** The order of the conversation's items, as a client is told. */
export class ConversationLog {
  readonly #send: (event: ServerEvent) => void;
  readonly #kept = new Map<string, WrittenItem>();
  #last: string | null = null;

  constructor(send: (event: ServerEvent) => void) {
    this.#send = send;
  }

  /** The item before the next one. */
  get last(): string | null {
    return this.#last;
  }

  /** An item begins. */
  added(item: WrittenItem): void {
    this.#send({ type: 'conversation.item.added', previous_item_id: this.#last, item });
    this.#last = item.id;
    this.#keep(item);
  }

  /** @returns null: there is none, or it is long ago. */
  item(id: string): WrittenItem | null {
    return this.#kept.get(id) ?? null;
  }

  /** It is whole. */
  done(item: WrittenItem, previous: string | null): void {
    this.#send({ type: 'conversation.item.done', previous_item_id: previous, item });
    this.#keep(item);
  }

  /** One that is whole at once. @returns its id. */
  whole(item: Readonly<Record<string, unknown>>, id: string = newId('item')): string {
    const before = this.#last;
    const written = { object: 'realtime.item', status: 'completed', ...item, id };
    this.added(written);
    this.done(written, before);
    return id;
  }

  #keep(item: WrittenItem): void {
    this.#kept.set(item.id, item);
    if (this.#kept.size <= MAX_KEPT) return;
    const [oldest] = this.#kept.keys();
    this.#kept.delete(oldest!);
  }
}
