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

/** Writes what happens in a session into its journal, in few and small pieces. */
export function writeJournal(options: {
  journal: SessionJournal;
  /** The first entry of a session that begins here; null: it goes on here, and its journal has one. */
  head: string | null;
  /** ms on the session's clock. */
  now: () => number;
  connection: () => ConnectionState;
  timers: Timers;
}): JournalWriter {
  const { journal, now, timers } = options;
  let lines: string[] = [];
  let persona: keyof typeof WINDOWS_TOGETHER = 'silent';
  let stage: 'open' | 'closed' = 'open';
  let stateDue: 'no' | 'at the end of this turn' = 'no';

  function flushLines(): void {
    if (lines.length === 0) return;
    const entry = `[${lines.join(',')}]`;
    lines = [];
    journal.append(entry, 'soon');
  }

  function state(urgency: 'now' | 'soon'): void {
    if (stage === 'closed') return;
    flushLines();
    journal.state(writeState({ at: now(), connection: options.connection() }), urgency);
  }

  /** One event can lead to several messages. */
  function stateAfterThisTurn(): void {
    if (stateDue !== 'no') return;
    stateDue = 'at the end of this turn';
    queueMicrotask(() => {
      stateDue = 'no';
      state('now');
    });
  }

  let timer = timers.setTimeout(tick, STATE_EVERY_MS);
  function tick(): void {
    if (stage === 'closed') return;
    state('soon');
    timer = timers.setTimeout(tick, STATE_EVERY_MS);
  }

  function end(): void {
    stage = 'closed';
    timers.clearTimeout(timer);
  }

  if (options.head !== null) journal.append(options.head, 'now');

  return {
    event({ at, event }) {
      if (stage === 'closed') return;
      lines.push(encodeEntry({ kind: 'event', at, event }));
      if (event.type === 'speech.started') persona = 'heard';
      else if (event.type === 'speech.finished' || event.type === 'speech.cut') persona = 'silent';
      if (event.type !== 'vad.window' || lines.length >= WINDOWS_TOGETHER[persona]) flushLines();
      if (CHANGES_CONNECTION.has(event.type)) stateAfterThisTurn();
    },
    messageSent: stateAfterThisTurn,
    flush() {
      flushLines();
      return journal.flush();
    },
    close() {
      if (stage === 'closed') return;
      end();
      journal.close();
    },
    leave() {
      state('now');
      end();
      return journal.leave();
    },
    drop: end,
  };
}
