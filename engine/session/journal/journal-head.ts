import type { SessionConfig } from '../../../actors/session-config.ts';
import { SessionRestoreError, type RestorableSession } from './journal.ts';

const VERSION = 1;

/** The first entry of a journal: everything about a session that does not change. It has the secrets of its tools. */
export interface JournalHead {
  readonly config: SessionConfig;
  readonly idSeed: string;
  /** Wall-clock time of the session's start, whole ms since the epoch. */
  readonly startedAt: number;
  readonly endOfTurnModelAvailable: boolean;
  /** `SessionResources.head`. */
  readonly head: string;
}

export function writeHead(head: JournalHead): string {
  return JSON.stringify({ version: VERSION, ...head });
}

/** @param past opened. @throws SessionRestoreError */
export function headOf(past: Pick<RestorableSession, 'sessionId' | 'entries'>): JournalHead {
  const head = parsed(past.entries[0] ?? '') as (Partial<JournalHead> & { readonly version?: unknown }) | null;
  if (head === null || typeof head !== 'object') throw new SessionRestoreError('its first entry is missing');
  if (head.version !== VERSION) throw new SessionRestoreError('its journal has another version');
  if (
    typeof head.config !== 'object' ||
    head.config.sessionId !== past.sessionId ||
    typeof head.idSeed !== 'string' ||
    typeof head.startedAt !== 'number' ||
    typeof head.head !== 'string'
  )
    throw new SessionRestoreError('its first entry is incomplete');
  return head as JournalHead;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
