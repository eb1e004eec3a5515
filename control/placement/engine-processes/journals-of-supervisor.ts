import type { SessionJournal, SessionJournals } from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { Supervisor } from './supervisor.ts';

/** What can wait is sent together after this time, ms. */
const SOON_MS = 50;

/** Journals that the supervisor keeps in its memory, until the session is over or another process goes on with it. */
export class JournalsOfSupervisor implements SessionJournals {
  readonly #supervisor: Pick<Supervisor, 'tell' | 'sent'>;
  readonly #timers: Timers;

  constructor(supervisor: Pick<Supervisor, 'tell' | 'sent'>, timers: Timers) {
    this.#supervisor = supervisor;
    this.#timers = timers;
  }

  open(sessionId: string): SessionJournal {
    const supervisor = this.#supervisor;
    const timers = this.#timers;
    let stage: 'open' | 'over' = 'open';
    let entries: string[] = [];
    let state: string | null = null;
    let timer: unknown = null;

    function send(): void {
      timers.clearTimeout(timer);
      timer = null;
      if (entries.length === 0 && state === null) return;
      supervisor.tell({ kind: 'journal', addition: { sessionId, entries, state } });
      entries = [];
      state = null;
    }

    /** What is added in the same turn of the event loop leaves together. */
    function sendLater(urgency: 'now' | 'soon'): void {
      if (urgency === 'now') {
        timers.clearTimeout(timer);
        timer = timers.setTimeout(send, 0);
      } else timer ??= timers.setTimeout(send, SOON_MS);
    }

    return {
      append(entry, urgency) {
        if (stage === 'over') return;
        entries.push(entry);
        sendLater(urgency);
      },
      state(next, urgency) {
        if (stage === 'over') return;
        state = next;
        sendLater(urgency);
      },
      async flush() {
        send();
        await supervisor.sent();
      },
      close() {
        if (stage === 'over') return;
        stage = 'over';
        timers.clearTimeout(timer);
        supervisor.tell({ kind: 'journal.close', sessionId });
      },
      async leave() {
        if (stage === 'open') send();
        stage = 'over';
        await supervisor.sent();
      },
    };
  }
}
