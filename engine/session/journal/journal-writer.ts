import type { RecordedEvent, SessionEvent } from '../../../actors/events.ts';
import { encodeEntry } from '../../../actors/recorder/session-log.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { ConnectionState } from '../../transport/connection-state.ts';
import type { SessionJournal } from './journal.ts';
import { writeState } from './journal-state.ts';

/**
 * VAD windows come every 32 ms. While the persona is heard, the last one tells until when it was: a word is some 300 ms
 * long.
 */
const WINDOWS_TOGETHER = { heard: 2, silent: 8 };
/** Where media continue is computed from the last state and the time since then, so this need not be exact. */
const STATE_EVERY_MS = 500;
/**
 * What of a connection is not computed: its keys, and its channel. The public client's channel never opened again when its
 * process died before the next state.
 */
const CHANGES_CONNECTION: ReadonlySet<SessionEvent['type']> = new Set([
  'offer.received',
  'peer.connected',
  'channel.opened',
]);

export interface JournalWriter {
  /** Called with each event that the actors handle. */
  event(recorded: RecordedEvent): void;
  /** A message was handed to the client: it must not come again. */
  messageSent(): void;
  /** Resolves when everything so far is stored, or cannot be stored. */
  flush(): Promise<void>;
  /** The session is over. */
  close(): void;
  /** The session goes on elsewhere, with all that has happened here. */
  leave(): Promise<void>;
  /** The session goes on elsewhere, and this process no longer has a say. */
  drop(): void;
}

export interface JournalWriterOptions {
  readonly journal: SessionJournal;
  /** The first entry of a session that begins here; null: it goes on here, and its journal has one. */
  readonly head: string | null;
  /** ms on the session's clock. */
  readonly now: () => number;
  readonly connection: () => ConnectionState;
  readonly timers: Timers;
}

/** Writes what happens in a session into its journal, in few and small pieces. */
export function writeJournal(options: JournalWriterOptions): JournalWriter {
  return new BatchingJournalWriter(options);
}

class BatchingJournalWriter implements JournalWriter {
  readonly #options: JournalWriterOptions;
  #lines: string[] = [];
  #persona: keyof typeof WINDOWS_TOGETHER = 'silent';
  #stage: 'open' | 'closed' = 'open';
  #stateDue: 'no' | 'at the end of this turn' = 'no';
  #timer: unknown;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#stateLater();
    if (options.head !== null) options.journal.append(options.head, 'now');
  }

  event({ at, event }: RecordedEvent): void {
    if (this.#stage === 'closed') return;
    this.#lines.push(encodeEntry({ kind: 'event', at, event }));
    if (event.type === 'speech.started') this.#persona = 'heard';
    else if (event.type === 'speech.finished' || event.type === 'speech.cut') this.#persona = 'silent';
    if (event.type !== 'vad.window' || this.#lines.length >= WINDOWS_TOGETHER[this.#persona]) this.#flushLines();
    if (CHANGES_CONNECTION.has(event.type)) this.messageSent();
  }

  /** One event can lead to several messages: the state is written at the end of this turn. */
  messageSent(): void {
    if (this.#stateDue !== 'no') return;
    this.#stateDue = 'at the end of this turn';
    queueMicrotask(() => {
      this.#stateDue = 'no';
      this.#state('now');
    });
  }

  flush(): Promise<void> {
    this.#flushLines();
    return this.#options.journal.flush();
  }

  close(): void {
    if (this.#stage === 'closed') return;
    this.drop();
    this.#options.journal.close();
  }

  leave(): Promise<void> {
    this.#state('now');
    this.drop();
    return this.#options.journal.leave();
  }

  drop(): void {
    this.#stage = 'closed';
    this.#options.timers.clearTimeout(this.#timer);
  }

  #flushLines(): void {
    if (this.#lines.length === 0) return;
    const entry = `[${this.#lines.join(',')}]`;
    this.#lines = [];
    this.#options.journal.append(entry, 'soon');
  }

  #state(urgency: 'now' | 'soon'): void {
    if (this.#stage === 'closed') return;
    this.#flushLines();
    const { journal, now, connection } = this.#options;
    journal.state(writeState({ at: now(), connection: connection() }), urgency);
  }

  #stateLater(): void {
    this.#timer = this.#options.timers.setTimeout(() => {
      if (this.#stage === 'closed') return;
      this.#state('soon');
      this.#stateLater();
    }, STATE_EVERY_MS);
  }
}
