import {
  type SessionJournal,
  type SessionJournals,
  type RestorableSession,
  SessionRestoreError,
} from '../../engine/index.ts';
import type { DerivedKey } from '../access/master-key.ts';
import { openVault, type Vault } from '../access/vault.ts';

/**
 * Encrypts journals before they leave the process: they hold what was said, and keys. An entry opens only at its place in
 * its own journal.
 */
export class SealedJournals implements SessionJournals {
  readonly #inner: SessionJournals;
  readonly #vault: Vault;
  /** Sessions that will go on here, with the number of their entries so far. */
  readonly #continued = new Map<string, number>();
  /** Entries, opened, of sessions that may come: opening an hour takes most of a second. */
  readonly #ahead = new Map<string, readonly string[]>();

  /** @param keys newest first: that one closes, all of them open. */
  constructor(inner: SessionJournals, keys: readonly DerivedKey[]) {
    this.#inner = inner;
    this.#vault = openVault(keys);
  }

  open(sessionId: string): SessionJournal {
    const inner = this.#inner.open(sessionId);
    let count = this.#continued.get(sessionId) ?? 0;
    this.#continued.delete(sessionId);
    return {
      append: (entry, urgency) => {
        inner.append(this.#vault.close(entry, placeOf(sessionId, count)), urgency);
        count += 1;
      },
      state: (state, urgency) => inner.state(this.#vault.close(state, placeOf(sessionId, 'state')), urgency),
      flush: () => inner.flush(),
      close: () => inner.close(),
      leave: () => inner.leave(),
    };
  }

  /** Opens what another process has sealed so far of a session that may come here. @throws as `openPast`. */
  openAhead(past: RestorableSession): RestorableSession {
    const opened = this.#open(past);
    this.#ahead.set(past.sessionId, opened.entries);
    return opened;
  }

  /**
   * Opens what another process has sealed. The session is about to go on here.
   * @throws SessionRestoreError when it is damaged, or the processes have different master keys.
   */
  openPast(past: RestorableSession): RestorableSession {
    const opened = this.#open(past);
    this.#ahead.delete(past.sessionId);
    this.#continued.set(past.sessionId, past.entries.length);
    return opened;
  }

  /** It does not go on here after all. */
  dropPast(sessionId: string): void {
    this.#continued.delete(sessionId);
    this.dropAhead(sessionId);
  }

  /** It has not come. */
  dropAhead(sessionId: string): void {
    this.#ahead.delete(sessionId);
  }

  #open({ sessionId, entries, state, ageMs }: RestorableSession): RestorableSession {
    const ahead = this.#ahead.get(sessionId) ?? [];
    try {
      return {
        sessionId,
        entries: entries.map((entry, index) => ahead[index] ?? this.#vault.open(entry, placeOf(sessionId, index))),
        state: state === null ? null : this.#vault.open(state, placeOf(sessionId, 'state')),
        ageMs,
      };
    } catch (error) {
      throw new SessionRestoreError('its journal cannot be opened', { cause: error });
    }
  }
}

function placeOf(sessionId: string, place: number | 'state'): string {
  return `${sessionId} ${place}`;
}
