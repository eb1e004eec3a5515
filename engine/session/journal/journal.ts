/**
 * What live sessions need so that they can go on in another process, when theirs dies or leaves. The engine writes it as
 * it happens (`engine/session/journal/`), somebody else keeps it, and the engine that takes a session over reads it. A
 * journal is content, and its first entry has secrets: it is sealed before it leaves the process.
 */
export interface SessionJournals {
  /** A session begins here, or goes on here. Returns quickly, never throws. */
  open(sessionId: string): SessionJournal;
}

/** Each function returns quickly and never throws or rejects. */
export interface SessionJournal {
  /**
   * One more entry: text without line breaks. They are stored in this order.
   * @param urgency `now`: to be stored within milliseconds. `soon`: within some 50 ms.
   */
  append(entry: string, urgency: 'now' | 'soon'): void;
  /**
   * Replaces the small state that changes all the time. It is never stored before the entries that were given earlier.
   * @param urgency as of `append`.
   */
  state(state: string, urgency: 'now' | 'soon'): void;
  /** Resolves when everything so far is stored, or cannot be stored. */
  flush(): Promise<void>;
  /** The session is over: nothing is left of it. */
  close(): void;
  /** The session goes on elsewhere: nothing more is written here, and what is stored stays. Resolves like `flush`. */
  leave(): Promise<void>;
}

/** What is known of a session of another process. */
export interface RestorableSession {
  readonly sessionId: string;
  /** All entries, from the first one on. */
  readonly entries: readonly string[];
  readonly state: string | null;
  /**
   * How long ago the last of it was stored, ms, by the clock of whoever keeps it: the clocks of two machines can
   * differ. Null: unknown, then the clocks of both machines count.
   */
  readonly ageMs: number | null;
}

/** The past of a session cannot be used: it is damaged, of another version, or incomplete. Nothing of it is live. */
export class SessionRestoreError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(`A session cannot be taken over: ${problem}`, options);
    this.name = 'SessionRestoreError';
  }
}
