import { effect, signal } from '@preact/signals';
import type { MeResponse } from '../../../control/api/sign-ins/sign-in-schema.ts';
import { request } from '../api/client.ts';
import { apiKey, isSignIn, setApiKey } from './key.ts';
import { discardUnsavedChanges } from './unsaved-changes.ts';
import { type Reach, denialReason } from './denial-reason.ts';

const STORED_AS = 'parley.me';

/** Who uses this console, as the service last said it. Null: not known yet; then everything is offered. */
export const me = signal<MeResponse | null>(storedMe());

/** @returns why the console's user may not change, or not even see, what a scope stands for. Null: they may. */
export function denialReasonOf(scope: string, reach: Reach = 'change'): string | null {
  return denialReason(me.value, scope, reach);
}

export function may(scope: string, reach: Reach = 'change'): boolean {
  return denialReasonOf(scope, reach) === null;
}

/** Takes the token of a sign-in. What another user has not saved is not shown to this one. @throws ApiError */
export async function takeSignIn(token: string): Promise<void> {
  const now = await request<MeResponse>('GET', '/v1/me', undefined, token);
  if (me.value !== null && me.value.id !== now.id) discardUnsavedChanges();
  keep(now);
  setApiKey(token);
}

/** Signs a user out, or forgets the key. The service may be away: this browser forgets it all the same. */
export async function leave(): Promise<void> {
  if (me.value?.kind === 'user') await request('DELETE', '/v1/sign-ins/current').catch(() => {});
  keep(null);
  setApiKey(null);
}

/** Asks anew who it is, now and whenever the key becomes another one. */
export function followMe(): void {
  effect(() => {
    const key = apiKey.value;
    if (key === null) return;
    // What it said of a user says nothing of the key that took their place.
    if (isSignIn(key) !== (me.peek()?.kind === 'user')) keep(null);
    request<MeResponse>('GET', '/v1/me').then(
      (now) => key === apiKey.value && keep(now),
      // An older service does not say it, and a wrong key is refused wherever it is used.
      () => {},
    );
  });
}

function keep(now: MeResponse | null): void {
  me.value = now;
  if (now === null) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, JSON.stringify(now));
}

function storedMe(): MeResponse | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as MeResponse | null;
  } catch {
    return null;
  }
}
