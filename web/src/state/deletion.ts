import { signal } from '@preact/signals';
import { sentenceOf } from '../api/problem.ts';

/**
 * How long a deletion can be undone, ms: enough to read what it was, and to reach the button by keyboard. It does not
 * pass while somebody is at the button.
 */
export const UNDO_MS = 8_000;

/** The newest deletion. Until its time is over the service knows nothing of it. */
export type Deletion =
  | { readonly state: 'can be undone'; readonly ids: readonly string[]; readonly name: string }
  | { readonly state: 'failed'; readonly name: string; readonly message: string };

/** Null: nothing is to be told of a deletion. */
export const deletion = signal<Deletion | null>(null);
/** Ids of what is deleted for whoever looks, though the service may still have it. */
export const deletedIds = signal<ReadonlySet<string>>(new Set());

let pending: { readonly ids: readonly string[]; timer: unknown; readonly finish: () => void } | null = null;

/**
 * Deletes something that can be brought back for `UNDO_MS`: it is not shown any more, and then the service is told, at once
 * if another deletion follows or the page goes. @param ids of one thing, or of several that go together.
 * @param deleteIt tells the service, and shows what is left.
 */
export function deleteSoon(ids: readonly string[], name: string, deleteIt: () => Promise<void>): void {
  finishDeletion();
  show(ids, false);
  deletion.value = { state: 'can be undone', ids, name };
  const finish = (): void => void tell(ids, name, deleteIt);
  pending = { ids, timer: setTimeout(finishDeletion, UNDO_MS), finish };
  globalThis.addEventListener?.('pagehide', finishDeletion);
}

export function undoDeletion(): void {
  const undone = take();
  if (undone !== null) show(undone.ids, true);
  deletion.value = null;
}

/** @param isWaiting whether somebody has reached what undoes the newest deletion, and may still press it. */
export function waitWithDeletion(isWaiting: boolean): void {
  if (pending === null) return;
  clearTimeout(pending.timer as number);
  if (!isWaiting) pending.timer = setTimeout(finishDeletion, UNDO_MS);
}

/** Nothing brings it back any more. */
export function finishDeletion(): void {
  take()?.finish();
}

function take() {
  const taken = pending;
  pending = null;
  if (taken !== null) clearTimeout(taken.timer as number);
  globalThis.removeEventListener?.('pagehide', finishDeletion);
  return taken;
}

async function tell(ids: readonly string[], name: string, deleteIt: () => Promise<void>): Promise<void> {
  if (isTold(ids)) deletion.value = null;
  try {
    await deleteIt();
  } catch (error) {
    show(ids, true);
    deletion.value = { state: 'failed', name, message: sentenceOf(error) };
  }
}

function isTold(ids: readonly string[]): boolean {
  return deletion.value?.state === 'can be undone' && deletion.value.ids === ids;
}

function show(ids: readonly string[], isShown: boolean): void {
  const hidden = new Set(deletedIds.value);
  for (const id of ids) {
    if (isShown) hidden.delete(id);
    else hidden.add(id);
  }
  deletedIds.value = hidden;
}
