import { signal } from '@preact/signals';

/**
 * Changes in a form that are not saved yet. They are kept in this browser, so that nothing is lost when somebody looks
 * elsewhere, reloads the page, or closes it.
 */
const STORED_AS = 'parley.unsaved.';

/** What has such changes, by the names given to `saveUnsavedChanges`. */
export const unsaved = signal<ReadonlySet<string>>(new Set(storedNames()));

/** @returns null if there are none. */
export function loadUnsavedChanges<T extends object>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS + name) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** @param changes null, or without a key: there are none any more. */
export function saveUnsavedChanges(name: string, changes: object | null): void {
  const isThere = changes !== null && Object.keys(changes).length > 0;
  try {
    if (isThere) localStorage.setItem(STORED_AS + name, JSON.stringify(changes));
    else localStorage.removeItem(STORED_AS + name);
  } catch {
    // The browser keeps no more: they last as long as the form is open.
  }
  const names = new Set(unsaved.value);
  if (isThere) names.add(name);
  else names.delete(name);
  unsaved.value = names;
}

/** Whoever uses this browser next does not see them. */
export function discardUnsavedChanges(): void {
  for (const name of storedNames()) saveUnsavedChanges(name, null);
}

function storedNames(): readonly string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(STORED_AS))
    .map((key) => key.slice(STORED_AS.length));
}
