import { engineNow } from '../../../runtime/clock.ts';
import type { SessionJournals, RestorableSession } from '../journal/journal.ts';

/** Keeps journals for tests, as if they were stored at once. */
export class TestJournals implements SessionJournals {
  readonly #kept = new Map<string, { entries: string[]; state: string | null; at: number }>();

  /** Called with what a journal holds when its session has ended. */
  beforeClose: (past: RestorableSession) => void = () => {};

  /** Sessions that have a journal. */
  get sessionIds(): readonly string[] {
    return [...this.#kept.keys()];
  }

  open(sessionId: string): ReturnType<SessionJournals['open']> {
    const kept = this.#kept.get(sessionId) ?? { entries: [], state: null, at: 0 };
    this.#kept.set(sessionId, kept);
    let stage: 'open' | 'left' = 'open';
    const write = (change: () => void): void => {
      if (stage === 'left') return;
      change();
      kept.at = engineNow();
    };
    return {
      append: (entry) => write(() => kept.entries.push(entry)),
      state: (state) => write(() => (kept.state = state)),
      flush: async () => {},
      close: () => {
        this.beforeClose(this.past(sessionId));
        this.#kept.delete(sessionId);
      },
      async leave() {
        stage = 'left';
      },
    };
  }

  past(sessionId: string): RestorableSession {
    const { entries, state, at } = this.#kept.get(sessionId)!;
    return { sessionId, entries: [...entries], state, ageMs: engineNow() - at };
  }
}
