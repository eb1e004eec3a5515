import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../../actors/commands.ts';
import { createSession, type Session } from '../../../actors/index.ts';
import { ContinuedClock } from '../../../actors/kernel/continued-clock.ts';
import { seededIds } from '../../../actors/kernel/seeded-ids.ts';
import type { RecordedEvent } from '../../../actors/events.ts';
import { decodeEvent } from '../../../actors/recorder/session-log.ts';
import { OutstandingWork } from '../../../actors/session/outstanding-work.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import type { ConnectionSnapshot } from '../../transport/connection-state.ts';
import { SessionRestoreError, type RestorableSession } from '../journal/journal.ts';
import type { JournalHead } from '../journal/journal-head.ts';
import { readState, type SessionState } from '../journal/journal-state.ts';

/** A batch of events, as `journal-writer.ts` puts them together, is stored so long after its last one at most. */
const STORED_WITHIN_MS = 50;
/** A message leaves before its state is stored. Its cause can be a timer, which no entry tells of. */
const MAX_LAG_MS = 500;
const LAG_STEP_MS = 10;
/** Other sessions of this thread need it every 20 ms. */
const SLICE_MS = 5;

/** Handlers of a replayed session. The host that continues the session replaces them. */
export interface ReplayHandlers {
  perform: (command: SessionCommand) => void;
  record: (recorded: RecordedEvent) => void;
}

/** A session at the moment at which its process died or released it. */
export interface ReplayedSession {
  readonly head: JournalHead;
  readonly state: SessionState | null;
  readonly actors: Session;
  readonly clock: ContinuedClock;
  readonly handlers: ReplayHandlers;
  readonly outstanding: OutstandingWork;
  /** When that was, ms on the session's clock. */
  readonly endedAt: number;
  /** Engine time at the session's time 0. */
  readonly startedAt: number;
  /** Null: nothing is known of the connection to the client. */
  readonly connection: ConnectionSnapshot | null;
}

/** Of the last messages only. More would be dropped by the outbox. */
const MAX_KEPT_MESSAGES = 200;

/**
 * Builds a session's actors again from all that has happened to them. Nothing that they ask for is carried out: it was
 * carried out, or died with the other process. The past can come in parts while the session is still live elsewhere.
 */
export class JournalReplay {
  readonly head: JournalHead;
  readonly #clock = new ContinuedClock(systemTimers);
  readonly #outstanding = new OutstandingWork();
  /** The last messages with their numbers: those that have not arrived are among them. */
  readonly #messages: { readonly number: number; readonly message: object }[] = [];
  readonly #current: ReplayHandlers;
  readonly #actors: Session;
  #life: 'live' | 'over' = 'live';
  #read = 1;
  #lastAt = 0;

  /** @param handlers get every event and command, as in the other process. */
  constructor(head: JournalHead, handlers: ReplayHandlers) {
    this.head = head;
    this.#current = {
      record: (recorded) => {
        this.#outstanding.event(recorded.event, recorded.at);
        handlers.record(recorded);
      },
      perform: (command) => {
        this.#outstanding.command(command, this.#clock.now());
        if (command.type === 'session.close') this.#life = 'over';
        if (command.type === 'message.send') {
          this.#messages.push({ number: this.#outstanding.messages, message: command.message });
          if (this.#messages.length > MAX_KEPT_MESSAGES) this.#messages.shift();
        }
        handlers.perform(command);
      },
    };
    this.#actors = createSession({
      config: head.config,
      clock: this.#clock,
      ids: seededIds(head.idSeed),
      startedAtWall: head.startedAt,
      endOfTurnModelAvailable: head.endOfTurnModelAvailable,
      perform: (command) => this.#current.perform(command),
      record: (recorded) => this.#current.record(recorded),
    });
  }

  /**
   * @param entries all so far, from the first one on: those that were read before are left out. @throws
   * SessionRestoreError
   */
  async read(entries: readonly string[]): Promise<void> {
    let sliceEnds = engineNow() + SLICE_MS;
    while (this.#read < entries.length) {
      const entry = entries[this.#read]!;
      this.#read += 1;
      for (const { at, event } of eventsOf(entry)) {
        this.#lastAt = Math.max(this.#lastAt, at);
        this.#clock.advanceTo(at);
        this.#actors.dispatch(event);
      }
      if (engineNow() < sliceEnds) continue;
      await nextTurn();
      sliceEnds = engineNow() + SLICE_MS;
    }
  }

  /** The past is over: all its entries are read. @throws SessionRestoreError */
  finish(past: Pick<RestorableSession, 'state' | 'ageMs'>): ReplayedSession {
    const head = this.head;
    const clock = this.#clock;
    const outstanding = this.#outstanding;
    const state = readState(past.state);
    clock.advanceTo(Math.max(this.#lastAt, state?.at ?? 0) + STORED_WITHIN_MS);
    const sent = state?.connection.sent ?? 0;
    for (let lag = 0; outstanding.messages < sent && lag < MAX_LAG_MS; lag += LAG_STEP_MS)
      clock.advanceTo(clock.now() + LAG_STEP_MS);
    if (this.#life === 'over') throw new SessionRestoreError('it is over');

    // A process that dies loses nothing that it has sent. A client that was away may have lost it.
    const arrived = state === null ? 0 : state.connection.flowing ? sent : state.connection.arrived;
    const endedAt = clock.now();
    const sinceStart = engineNow() - head.startedAt;
    const now =
      past.ageMs === null ? Math.max(endedAt, sinceStart) : endedAt + Math.max(0, past.ageMs - STORED_WITHIN_MS);
    const waiting = this.#messages
      .filter(({ number }) => number > arrived)
      .map(({ message }) => JSON.stringify(message));
    return {
      head,
      state,
      actors: this.#actors,
      clock,
      handlers: this.#current,
      outstanding,
      endedAt,
      startedAt: engineNow() - now,
      connection: state && {
        state: state.connection,
        elapsedMs: Math.max(0, now - state.at),
        waiting,
        arrived: outstanding.messages - waiting.length,
      },
    };
  }

  /** It does not go on here after all. */
  close(): void {
    this.#actors.stop();
  }
}

function eventsOf(entry: string): readonly RecordedEvent[] {
  let lines: unknown;
  try {
    lines = JSON.parse(entry);
  } catch (error) {
    throw new SessionRestoreError('an entry is damaged', { cause: error });
  }
  if (!Array.isArray(lines)) throw new SessionRestoreError('an entry is damaged');
  return lines.map((line) => {
    const recorded = decodeEvent(line);
    if (recorded === null) throw new SessionRestoreError('an entry is damaged');
    return recorded;
  });
}
