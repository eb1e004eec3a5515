import type { LlmMessage } from '../ports.ts';

/** An item of the conversation that the model remembers. */
export interface Item {
  readonly id: string;
  readonly kind: 'user' | 'assistant' | 'system' | 'call' | 'result';
  /** What it says, as text. Null: what the user said is not understood yet. */
  readonly text: string | null;
  /** Of calls and their results. */
  readonly callId: string;
}

/** An item that the model shall have, without its id. */
export interface WantedItem extends Omit<Item, 'id' | 'text'> {
  readonly text: string;
  /** Of calls. */
  readonly name: string;
}

/** How the model's conversation becomes the one that the session has. */
export type Change =
  | { readonly do: 'delete'; readonly id: string }
  /** `after`: the item before it; null: it is the first. */
  | { readonly do: 'create'; readonly id: string; readonly after: string | null; readonly item: WantedItem };

/** What a persona's message ends with if it was interrupted. The model's own item was truncated instead. */
const INTERRUPTED = /\s*\[interrupted\]$/;

/** @returns the messages as items; the first system message is not among them: it is the model's instructions. */
export function wantedItems(messages: readonly LlmMessage[]): WantedItem[] {
  const rest = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const given = givenIds(messages);
  return rest.flatMap((message): WantedItem[] => {
    const item = { callId: '', name: '' };
    switch (message.role) {
      case 'system':
      case 'user':
        return [{ ...item, kind: message.role, text: message.content }];
      case 'tool':
        return [{ ...item, kind: 'result', text: message.content, callId: given.get(message.toolCallId) ?? '' }];
      case 'assistant':
        return [
          ...(message.content === '' ? [] : [{ ...item, kind: 'assistant' as const, text: message.content }]),
          ...(message.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
            kind: 'call' as const,
            text,
            callId: given.get(id)!,
            name,
          })),
        ];
    }
  });
}

/** @returns the model's own id of each call, by the session's, which the result of the call has. */
export function givenIds(messages: readonly LlmMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return new Map(calls.map(({ id, providerId }) => [id, providerId ?? id]));
}

/**
 * What has to be changed so that the model remembers the conversation as the session does: it may have heard what was
 * not meant for it, and does not know what was typed, told by the application, or said before its connection was lost.
 * @param newId gives the ids of new items.
 */
export function planChanges(items: readonly Item[], wanted: readonly WantedItem[], newId: () => string): Change[] {
  const changes: Change[] = [];
  let next = 0;
  let last: string | null = null;
  for (const item of wanted) {
    const run = findRun(items, next, item);
    if (run === null) {
      const id = newId();
      changes.push({ do: 'create', id, after: last, item });
      last = id;
      continue;
    }
    for (const { id } of items.slice(next, run.from)) changes.push({ do: 'delete', id });
    next = run.to;
    last = items[run.to - 1]!.id;
  }
  for (const { id } of items.slice(next)) changes.push({ do: 'delete', id });
  return changes;
}

/** @returns the items after the changes. */
export function changedItems(items: readonly Item[], changes: readonly Change[]): Item[] {
  const after = [...items];
  for (const change of changes) {
    if (change.do === 'delete') {
      const at = after.findIndex(({ id }) => id === change.id);
      if (at !== -1) after.splice(at, 1);
      continue;
    }
    const { kind, text, callId } = change.item;
    after.splice(placeAfter(after, change.after), 0, { id: change.id, kind, text, callId });
  }
  return after;
}

/** @returns where an item goes that comes after this one; at the end if that is not known. */
export function placeAfter(items: readonly Item[], id: string | null): number {
  if (id === null) return 0;
  const at = items.findIndex((item) => item.id === id);
  return at === -1 ? items.length : at + 1;
}

/** What a user says in one turn, with pauses, can be several items of the model. */
function findRun(items: readonly Item[], from: number, wanted: WantedItem): { from: number; to: number } | null {
  for (let start = from; start < items.length; start += 1) {
    if (wanted.kind !== 'user') {
      if (isSame(items[start]!, wanted)) return { from: start, to: start + 1 };
      continue;
    }
    const to = endOfWords(items, start, letters(wanted.text));
    if (to !== null) return { from: start, to };
  }
  return null;
}

function endOfWords(items: readonly Item[], start: number, wanted: string): number | null {
  let said = '';
  for (let at = start; at < items.length; at += 1) {
    const item = items[at]!;
    if (item.kind !== 'user' || item.text === null) return null;
    said += letters(item.text);
    if (said === wanted) return at + 1;
    if (!wanted.startsWith(said)) return null;
  }
  return null;
}

function isSame(item: Item, wanted: WantedItem): boolean {
  if (item.kind !== wanted.kind || item.text === null) return false;
  switch (wanted.kind) {
    case 'call':
      return item.callId === wanted.callId;
    case 'result':
      return item.callId === wanted.callId && item.text === wanted.text;
    case 'assistant': {
      // The session has what was heard of it.
      const heard = letters(wanted.text.replace(INTERRUPTED, ''));
      const said = letters(item.text);
      return heard !== '' && said !== '' && (said.startsWith(heard) || heard.startsWith(said));
    }
    default:
      return item.text === wanted.text;
  }
}

/** What of a text is spoken: transcripts differ in punctuation and spaces. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
