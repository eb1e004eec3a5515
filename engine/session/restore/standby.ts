import type { SessionReportEntry } from '../../../actors/report.ts';
import type { RestorableSession } from '../journal/journal.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { SessionSink } from '../../ports.ts';
import { openLog, type OpenLog } from '../host/open-log.ts';
import { headOf, type JournalHead } from '../journal/journal-head.ts';
import { JournalReplay, type ReplayedSession } from './replay-journal.ts';

/** A session of another process that will go on here: what has happened in it so far. Nothing of it is live here. */
export class Standby {
  readonly #replay: JournalReplay;
  readonly #log: OpenLog;
  readonly #sink: SessionSink;
  /** Reported by the other process; perhaps it could not store all of it. */
  readonly #reports: SessionReportEntry[] = [];
  #entries: readonly string[] = [];

  /** @param loggedLines of its log that are stored. @defaultValue it is not known yet: see `recall` @throws SessionRestoreError */
  constructor(
    past: Pick<RestorableSession, 'sessionId' | 'entries'>,
    parts: { readonly sink: SessionSink; readonly log: Logger },
    loggedLines = Number.POSITIVE_INFINITY,
  ) {
    const head = headOf(past);
    this.#sink = parts.sink;
    this.#log = openLog(head, parts, loggedLines);
    this.#replay = new JournalReplay(head, {
      record: (recorded) => this.#log.recorder?.event(recorded),
      perform: (command) => {
        this.#log.recorder?.command(command);
        if (command.type === 'report') this.#reports.push(command.entry);
      },
    });
  }

  get head(): JournalHead {
    return this.#replay.head;
  }

  /** Whether this past goes on where what was read here ends. */
  isBeginningOf({ entries }: Pick<RestorableSession, 'entries'>): boolean {
    const last = this.#entries.length - 1;
    return last < entries.length && this.#entries[last] === (last < 0 ? undefined : entries[last]);
  }

  /** @returns false when the log cannot go on: it has fewer lines than what was read here makes. */
  recall(loggedLines: number): boolean {
    return this.#log.recorder?.recall(loggedLines) ?? true;
  }

  /** @param entries all so far. @throws SessionRestoreError */
  async read(entries: readonly string[]): Promise<void> {
    this.#entries = entries;
    await this.#replay.read(entries);
  }

  /** From now on the session is here. @throws SessionRestoreError */
  async finish(past: RestorableSession): Promise<{ readonly replayed: ReplayedSession; readonly log: OpenLog }> {
    await this.read(past.entries);
    const replayed = this.#replay.finish(past);
    for (const entry of this.#reports) this.#sink.entryAgain(past.sessionId, entry);
    return { replayed, log: this.#log };
  }

  close(): void {
    this.#replay.close();
  }
}
