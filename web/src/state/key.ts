import { signal } from '@preact/signals';
import { discardUnsavedChanges } from './unsaved-changes.ts';

const STORED_AS = 'parley.apiKey';

/** What this browser calls with: an API key, or the token of a sign-in. Null: there is none yet. */
export const apiKey = signal<string | null>(localStorage.getItem(STORED_AS));

export function setApiKey(key: string | null): void {
  apiKey.value = key;
  signInEnded.value = false;
  if (key !== null) localStorage.setItem(STORED_AS, key);
  else {
    localStorage.removeItem(STORED_AS);
    discardUnsavedChanges();
  }
}

/** Tokens of sign-ins begin so. */
const SIGN_IN = 'parley_signin_';

export function isSignIn(key: string | null): boolean {
  return key !== null && key.startsWith(SIGN_IN);
}

/** Whether a sign-in has ended by itself: the page that asks to sign in again says so. */
export const signInEnded = signal(false);

/** The service knows this token no longer. What was not saved stays for when its user signs in again. */
export function endSignIn(): void {
  apiKey.value = null;
  signInEnded.value = true;
  localStorage.removeItem(STORED_AS);
}

/** Another key than the kept one, which came with the address: `shell/key-offer.tsx` asks. Null: there is none. */
export const offeredKey = signal<string | null>(null);

/**
 * The address that the start script prints contains the key after `#key=`. Removes it from the address, and keeps it
 * unless there is another one already: a link must not lead somebody's next secrets to a strange organization.
 */
export function takeKeyFromAddress(): void {
  const key = keyInFragment(location.hash);
  if (key === null) return;
  if (apiKey.value === null || apiKey.value === key) setApiKey(key);
  else offeredKey.value = key;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
}

export function keyInFragment(fragment: string): string | null {
  const key = new URLSearchParams(fragment.replace(/^#\/?\??/, '')).get('key');
  return key === null || key.trim() === '' ? null : key.trim();
}
