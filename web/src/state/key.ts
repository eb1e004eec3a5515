import { signal } from '@preact/signals';
import { forgetChanges } from './kept-changes.ts';

const STORED_AS = 'parley.apiKey';

/** The API key of this browser, or null before one was given. */
export const apiKey = signal<string | null>(localStorage.getItem(STORED_AS));

export function setApiKey(key: string | null): void {
  apiKey.value = key;
  if (key !== null) localStorage.setItem(STORED_AS, key);
  else {
    localStorage.removeItem(STORED_AS);
    forgetChanges();
  }
}

/**
 * The address that the start script prints contains the key after `#key=`. Keeps the key and removes it from the
 * address.
 */
export function takeKeyFromAddress(): void {
  const key = keyInFragment(location.hash);
  if (key === null) return;
  setApiKey(key);
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
}

export function keyInFragment(fragment: string): string | null {
  const key = new URLSearchParams(fragment.replace(/^#\/?\??/, '')).get('key');
  return key === null || key.trim() === '' ? null : key.trim();
}
