import type { ConnectionState } from '../../transport/connection-state.ts';

/** What changes all the time. */
export interface SessionState {
  /** When it was taken, ms on the session's clock. */
  readonly at: number;
  readonly connection: ConnectionState;
}

export function writeState(state: SessionState): string {
  return JSON.stringify(state);
}

/** @returns null when nothing usable was stored: the client then has to connect anew. */
export function readState(text: string | null): SessionState | null {
  if (text === null) return null;
  try {
    const state = JSON.parse(text) as Partial<SessionState> | null;
    return typeof state?.at === 'number' && typeof state.connection?.sender === 'object'
      ? (state as SessionState)
      : null;
  } catch {
    return null;
  }
}
