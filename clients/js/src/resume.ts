import type { Message } from './history.ts';
import type { StartResponse } from './start-response.ts';

/** A session that the page leaves, for the page that comes after it in the same tab. */
export interface SavedSession {
  readonly start: StartResponse;
  readonly messages: readonly Message[];
  /** By message: how many pieces of it have come. The service repeats what it does not know to have arrived. */
  readonly pieces: Readonly<Record<string, number>>;
  /** Ms since 1970. */
  readonly startedAt: number;
  readonly leftAt: number;
}

/** So long the service waits for the next page. */
const HELD_FOR_MS = 20_000;
/** More messages are not kept over a reload. */
const MAX_MESSAGES = 200;

/** @param resume the option of this name. @returns null when it is off. */
export function resumeKey(resume: boolean | string | undefined): string | null {
  if (resume === undefined || resume === false || resume === '') return null;
  return resume === true ? 'parley-session' : `parley-session:${resume}`;
}

/**
 * Written only when the page goes: another tab that is opened as a copy of a live one finds nothing, and takes nothing
 * away from it.
 */
export function saveSession(key: string, session: SavedSession): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...session, messages: session.messages.slice(-MAX_MESSAGES) }));
  } catch {
    // The storage is full, or the user does not allow it: the conversation cannot continue after this reload.
  }
}

/** As a page of an earlier version may have left it, which kept no pieces. */
type SavedBefore = Omit<SavedSession, 'pieces'> & Partial<Pick<SavedSession, 'pieces'>>;
const asNow = (saved: SavedBefore): SavedSession => ({ pieces: {}, ...saved });

/** The session that was left a moment ago, if the service still waits. */
export function readSavedSession(key: string, now: number): SavedSession | null {
  try {
    const text = sessionStorage.getItem(key);
    const session = text === null ? null : asNow(JSON.parse(text) as SavedBefore);
    return session !== null && now - session.leftAt < HELD_FOR_MS ? session : null;
  } catch {
    return null;
  }
}

/** The same; it is given out once. */
export function takeSavedSession(key: string, now: number): SavedSession | null {
  const session = readSavedSession(key, now);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // The user does not allow the storage, so it is empty.
  }
  return session;
}
