import { describe, expect, it } from 'vitest';
import { type SessionJournal, type RestorableSession, SessionRestoreError } from '../../engine/index.ts';
import { masterKeys } from '../access/master-key.ts';
import { SealedJournals } from './sealed-journals.ts';

/** Keeps what it is given. */
function keeper() {
  const entries: string[] = [];
  const kept: { state: string | null } = { state: null };
  const journal: SessionJournal = {
    append: (entry) => void entries.push(entry),
    state: (state) => void (kept.state = state),
    flush: async () => {},
    close: () => {},
    leave: async () => {},
  };
  const past = (sessionId = 'one'): RestorableSession => ({ sessionId, entries, state: kept.state, ageMs: 5 });
  return { open: () => journal, entries, past };
}
const keysOf = (...secrets: string[]) => masterKeys(secrets).derive('journals');

describe('A journal outside of its process', () => {
  const write = (kept: ReturnType<typeof keeper>, keys = keysOf('a key')): void => {
    const journal = new SealedJournals(kept, keys).open('one');
    journal.append('a secret of the head', 'now');
    journal.append('what was said', 'soon');
    journal.state('where it stands', 'soon');
  };

  it('shows nothing of what it says, and another process with the same key reads it and goes on', () => {
    const kept = keeper();
    write(kept);
    for (const text of [...kept.entries, kept.past().state!]) expect(text).not.toMatch(/secret|said|stands/);
    const next = new SealedJournals(kept, keysOf('a newer key', 'a key'));
    expect(next.openPast(kept.past())).toEqual({
      sessionId: 'one',
      entries: ['a secret of the head', 'what was said'],
      state: 'where it stands',
      ageMs: 5,
    });
    next.open('one').append('and more', 'now');
    expect(next.openPast(kept.past()).entries.at(-1)).toBe('and more');
  });

  it('opens with no other key, for no other session and in no other order', () => {
    const kept = keeper();
    write(kept);
    const reader = new SealedJournals(kept, keysOf('a key'));
    expect(() => new SealedJournals(kept, keysOf('another key')).openPast(kept.past())).toThrow(SessionRestoreError);
    expect(() => reader.openPast(kept.past('two'))).toThrow(SessionRestoreError);
    kept.entries.reverse();
    expect(() => reader.openPast(kept.past())).toThrow(SessionRestoreError);
  });
});
