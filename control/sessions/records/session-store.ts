import { rm } from 'node:fs/promises';
import { sql, type Compilable } from 'kysely';
import type { EndReason, SessionEnd, SessionReportEntry, TurnRecord } from '../../../actors/report.ts';
import { type TraceContext, SessionRestoreError } from '../../../engine/index.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { SessionSink } from '../../../engine/ports.ts';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Store } from '../../store/open.ts';
import type { SessionRow } from '../../store/tables.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { recordingEvent, sessionEvent } from '../../events/outbox.ts';
import { eventsOf } from './session-events.ts';
import { keptEntry } from './zero-data-retention.ts';
import { recordingKey } from './recording-files.ts';
import { statementFor } from './record-statements.ts';
import { WriteQueue } from './write-queue.ts';

/** How long a session that moves waits for the store, ms: its client waits as well. */
const STORE_ANSWERS_MS = 500;

/** What listeners learn of a session. */
export interface ListenedSession {
  readonly sessionId: string;
  readonly organizationId: string;
  /** Wall clock of its time zero, ms since the epoch. */
  readonly startedAt: number;
  /** The request that started it, if its caller or this service traces requests. */
  readonly startedBy: TraceContext | null;
}

/** Learns what happens in all sessions, as it happens. Its functions return quickly and never throw. */
export interface SessionListener {
  turn(session: ListenedSession, turn: TurnRecord): void;
  /** @param reason null: the engine did not say. */
  ended(session: ListenedSession, reason: EndReason | null): void;
}

interface Live extends ListenedSession {
  readonly zeroDataRetention: boolean;
  /**
   * Batches of the event log so far. Null: the log is cut off, because too much waits to be stored. After a gap nothing
   * could be replayed.
   */
  eventBatches: number | null;
  /** Known when it was reported. */
  end: SessionEnd | null;
  readonly closed: (end: SessionEnd | null) => void;
  readonly left: () => void;
}

type RecordingFile = Parameters<SessionSink['recording']>[1];

/** A session of another process that goes on here. */
export interface ResumedSession {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly engineId: string;
  readonly region: string;
  /** ISO 8601, as in its row. */
  readonly startedAt: string;
  readonly startedBy: TraceContext | null;
  readonly zeroDataRetention: boolean;
  readonly closed: (end: SessionEnd | null) => void;
  readonly left: () => void;
}

/**
 * Where sessions store their data: the engine's sink. It accepts everything at once and writes it later; the engine
 * never waits for a disk.
 */
export class SessionStore implements SessionSink {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #keepEvents: boolean;
  readonly #timers: Timers;
  readonly #recordings: Blobs | null;
  readonly #live = new Map<string, Live>();
  readonly #writes: WriteQueue;
  readonly #listeners: SessionListener[] = [];

  constructor(options: {
    store: Store;
    log: Logger;
    now: () => number;
    keepEvents: boolean;
    /** Takes finished recordings. @defaultValue they stay where the engine writes them */
    recordings?: Blobs | null;
    /** @defaultValue the machine's own */
    timers?: Timers;
  }) {
    this.#store = options.store;
    this.#recordings = options.recordings ?? null;
    this.#log = options.log;
    this.#now = options.now;
    this.#keepEvents = options.keepEvents;
    this.#timers = options.timers ?? systemTimers;
    this.#writes = new WriteQueue(options);
  }

  listen(listener: SessionListener): void {
    this.#listeners.push(listener);
  }

  /**
   * Writes the session's row before the engine begins: later rows refer to it. @param closed called once, with its end,
   * or null if the engine did not accept the session. @param startedBy see `ListenedSession`. @param left
   * called instead of `closed` when it goes on in another process.
   */
  async begin(
    row: SessionRow,
    closed: (end: SessionEnd | null) => void,
    startedBy: TraceContext | null = null,
    left: () => void = () => {},
  ): Promise<void> {
    await this.#store.db.insertInto('sessions').values(row).execute();
    this.#live.set(row.id, {
      sessionId: row.id,
      organizationId: row.organization_id,
      startedBy,
      zeroDataRetention: row.zero_data_retention === 1,
      startedAt: Date.parse(row.start_time),
      eventBatches: 0,
      end: null,
      closed,
      left,
    });
  }

  /**
   * Goes on with a session of another process. @returns how many lines of its log are stored; infinite: no more are to be.
   * A store that does not answer does not stop the session: its log is then cut off.
   * @throws SessionRestoreError when the session has ended.
   */
  async resume({ startedAt, engineId, region, ...session }: ResumedSession): Promise<number> {
    const { sessionId } = session;
    const { db } = this.#store;
    const row = await this.#stored(
      db.selectFrom('sessions').select('end_time').where('id', '=', sessionId).executeTakeFirst(),
    );
    if (row !== null && row?.end_time !== null) throw new SessionRestoreError('it has ended');
    const stored = await this.#stored(
      db
        .selectFrom('session_events')
        .select(({ fn }) => [
          fn.max('sequence').as('last'),
          // Not the lines themselves: those of an hour are megabytes.
          sql<number | string | null>`sum(length(lines) - length(replace(lines, ${'\n'}, '')))`.as('lines'),
        ])
        .where('session_id', '=', sessionId)
        .executeTakeFirst(),
    );
    this.#live.set(sessionId, {
      ...session,
      startedAt: Date.parse(startedAt),
      eventBatches: stored === null ? null : Number(stored?.last ?? -1) + 1,
      end: null,
    });
    this.#writes.add(
      'record',
      db.updateTable('sessions').set({ engine_id: engineId, region }).where('id', '=', sessionId),
    );
    return stored === null || !this.#keepEvents ? Number.POSITIVE_INFINITY : Number(stored?.lines ?? 0);
  }

  /** It did not go on here after all. */
  forget(sessionId: string): void {
    this.#live.delete(sessionId);
  }

  /** @returns null when the store does not answer within `STORE_ANSWERS_MS`. */
  async #stored<T>(asking: Promise<T>): Promise<T | null> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = this.#timers.setTimeout(() => resolve(null), STORE_ANSWERS_MS);
    const answer = await Promise.race([asking.catch(() => null), late]);
    this.#timers.clearTimeout(timer);
    return answer;
  }

  /** The engine did not accept the session after all. */
  abandon(sessionId: string): void {
    this.closed(sessionId);
    const { db } = this.#store;
    this.#writes.add('record', db.deleteFrom('sessions').where('id', '=', sessionId), [
      db.deleteFrom('webhook_deliveries').where('session_id', '=', sessionId).where('status', '=', 'pending'),
    ]);
  }

  started({ sessionId }: Pick<ListenedSession, 'sessionId'>): void {
    const live = this.#live.get(sessionId);
    if (live === undefined) return;
    // The row is there since `begin`.
    const startTime = isoTime(live.startedAt);
    this.#writes.add(
      'record',
      sessionEvent(this.#store.db, sessionId, { type: 'session.started', data: { startTime }, at: live.startedAt }),
    );
  }

  entry(sessionId: string, entry: SessionReportEntry): void {
    const live = this.#live.get(sessionId);
    if (live === undefined) return;
    if (entry.kind === 'end') live.end = entry.end;
    if (entry.kind === 'turn') for (const listener of this.#listeners) listener.turn(live, entry.turn);
    const kept = keptEntry(entry, live.zeroDataRetention);
    if (kept !== null) this.#write(sessionId, live, kept);
  }

  entryAgain(sessionId: string, entry: SessionReportEntry): void {
    const live = this.#live.get(sessionId);
    // Incidents have no name by which they could be known again.
    if (live === undefined || entry.kind === 'warning' || entry.kind === 'error') return;
    const kept = keptEntry(entry, live.zeroDataRetention);
    if (kept !== null) this.#write(sessionId, live, kept);
  }

  async left(sessionId: string): Promise<void> {
    this.#live.get(sessionId)?.left();
    this.#live.delete(sessionId);
    // What is late stays in the queue, and is written when the store takes it.
    await this.#stored(this.flush());
  }

  log(sessionId: string, lines: string): void {
    const live = this.#live.get(sessionId);
    if (live === undefined || live.zeroDataRetention || live.eventBatches === null || !this.#keepEvents) return;
    const row = { session_id: sessionId, sequence: live.eventBatches, lines };
    // A process that was cut off from the others may still write for a moment what another one has written again.
    const statement = this.#store.db
      .insertInto('session_events')
      .values(row)
      .onConflict((conflict) => conflict.columns(['session_id', 'sequence']).doNothing());
    const kept = this.#writes.add('log', statement);
    live.eventBatches = kept ? live.eventBatches + 1 : null;
  }

  closed(sessionId: string): void {
    const live = this.#live.get(sessionId);
    live?.closed(live.end);
    if (live !== undefined) this.tellEnded(live, live.end?.reason ?? null);
    this.#live.delete(sessionId);
  }

  /** Tells listeners of an end. It is called from outside for sessions of processes that were killed. */
  tellEnded(session: ListenedSession, reason: EndReason | null): void {
    for (const listener of this.#listeners) listener.ended(session, reason);
  }

  recording(sessionId: string, file: RecordingFile): void {
    void this.#keepRecording(sessionId, file, async (row, event) => {
      this.#writes.add('record', event, [row]);
      await this.#writes.flush();
    });
  }

  /**
   * Notes the recording of an earlier run. Resolves when its row is written, or cannot be written: then the next start finds
   * it again. It may still have to be sent to the bucket. Never rejects.
   */
  noteRecording(sessionId: string, file: RecordingFile): Promise<void> {
    return this.#keepRecording(sessionId, file, (row, event) => this.#store.atomically([event, row]));
  }

  /** @returns false when what was said last is not stored within `STORE_ANSWERS_MS`. */
  async isStored(): Promise<boolean> {
    return (await this.#stored(this.flush().then(() => true))) === true;
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    await this.#writes.flush();
  }

  /** Tries once more to store what could not be stored. */
  async close(): Promise<void> {
    await this.#writes.close();
  }

  async #keepRecording(
    sessionId: string,
    file: RecordingFile,
    write: (row: Compilable, event: Compilable) => Promise<void>,
  ): Promise<void> {
    const { db } = this.#store;
    const failed = (error: unknown): void =>
      this.#log.error({ err: error, sessionId }, 'a recording could not be noted');
    try {
      // It may be finished after the session's end, when the session is no longer among the live ones. So its row is
      // asked.
      const row = await db
        .selectFrom('sessions')
        .select(['zero_data_retention', 'expired_at'])
        .where('id', '=', sessionId)
        .executeTakeFirst();
      if (row === undefined) {
        // Another database was named, or an older one was restored. Its right one still wants the file.
        this.#log.warn({ sessionId, path: file.path }, 'a recording stays, whose session is not in this database');
        return;
      }
      // A start finds that of an expired one in a restored data folder. The retention does not look at it again.
      if (row.zero_data_retention === 1 || row.expired_at !== null) {
        await rm(file.path, { force: true });
        return;
      }
      const values = {
        session_id: sessionId,
        path: recordingKey(sessionId),
        duration_ms: file.durationMs,
        bytes: file.bytes,
        created_at: new Date(this.#now()).toISOString(),
      };
      // Until its row is there, the next start would find the file and note it.
      await write(
        db
          .insertInto('recordings')
          .values(values)
          .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values)),
        recordingEvent(db, sessionId, { ...file, at: this.#now() }),
      );
      this.#recordings?.adopt(recordingKey(sessionId), file.path).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #write(sessionId: string, live: Live, entry: SessionReportEntry): void {
    const events = eventsOf(this.#store.db, sessionId, entry, live.startedAt);
    this.#writes.add('record', statementFor(this.#store.db, sessionId, entry, live.startedAt), events);
  }
}
