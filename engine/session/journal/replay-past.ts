import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../../actors/commands.ts';
import { createSession, type Session } from '../../../actors/index.ts';
import { ContinuedClock } from '../../../actors/kernel/continued-clock.ts';
import { seededIds } from '../../../actors/kernel/seeded-ids.ts';
import type { RecordedEvent } from '../../../actors/events.ts';
import { decodeEvent } from '../../../actors/recorder/session-log.ts';
import { OutstandingWork } from '../../../actors/session/outstanding-work.ts';
import { engineNow, systemTimers } from '../../clock.ts';
import type { ConnectionPast } from '../../connection-state.ts';
import { SessionPastError, type SessionPast } from '../../journal.ts';
import { headOf, type JournalHead } from './journal-head.ts';
import { readState, type SessionState } from './journal-state.ts';

/** A batch of events, as `journal-writer.ts` puts them together, is stored so long after its last one at most. */
const STORED_WITHIN_MS = 50;
/** A message leaves before its state is stored. Its cause can be a timer, which no entry tells of. */
const LONGEST_LAG_MS = 500;
const LAG_STEP_MS = 10;
/** Other sessions of this thread need it every 20 ms. */
const SLICE_MS = 5;

/** Takes what a session does, from its beginning on; the host that goes on with it puts others in place of these. */
export interface SessionTakers {
  perform: (command: SessionCommand) => void;
  record: (recorded: RecordedEvent) => void;
}

/** A session at the moment at which its process died or left it. */
export interface ReplayedPast {
  readonly head: JournalHead;
  readonly state: SessionState | null;
  readonly actors: Session;
  readonly clock: ContinuedClock;
  readonly takers: SessionTakers;
  readonly outstanding: OutstandingWork;
  /** When that was, ms on the session's clock. */
  readonly endedAt: number;
  /** Engine time at the session's time 0. */
  readonly startedAt: number;
  /** Null: nothing is known of the connection to the client. */
  readonly connection: ConnectionPast | null;
}

/** Of the last messages only. More would be dropped by the outbox. */
const MOST_KEPT_MESSAGES = 200;

/**
 * Builds a session's actors again from all that has happened to them. Nothing that they ask for is carried out: it was
 * carried out, or died with the other process.
 * @param takers are told of every event and command, as they were told in the other process.
 * @throws SessionPastError
 */
export async function replayPast(past: SessionPast, takers: SessionTakers): Promise<ReplayedPast> {
  const head = headOf(past);
  const state = readState(past.state);
  const clock = new ContinuedClock(systemTimers);
  const outstanding = new OutstandingWork();
  /** The last messages with their numbers: those that have not arrived are among them. */
  const messages: { readonly number: number; readonly text: string }[] = [];
  const life: { is: 'live' | 'over' } = { is: 'live' };
  const replaying: SessionTakers = {
    record(recorded) {
      outstanding.event(recorded.event, recorded.at);
      takers.record(recorded);
    },
    perform(command) {
      outstanding.command(command, clock.now());
      if (command.type === 'session.close') life.is = 'over';
      if (command.type === 'message.send' && outstanding.messages > (state?.connection.arrived ?? 0)) {
        messages.push({ number: outstanding.messages, text: JSON.stringify(command.message) });
        if (messages.length > MOST_KEPT_MESSAGES) messages.shift();
      }
      takers.perform(command);
    },
  };
  const current: SessionTakers = { ...replaying };
  const actors = createSession({
    config: head.config,
    clock,
    ids: seededIds(head.idSeed),
    startedAtWall: head.startedAt,
    endOfTurnModelAvailable: head.endOfTurnModelAvailable,
    perform: (command) => current.perform(command),
    record: (recorded) => current.record(recorded),
  });

  let lastAt = 0;
  let sliceEnds = engineNow() + SLICE_MS;
  for (const entry of past.entries.slice(1)) {
    for (const { at, event } of eventsOf(entry)) {
      lastAt = Math.max(lastAt, at);
      clock.advanceTo(at);
      actors.dispatch(event);
    }
    if (engineNow() < sliceEnds) continue;
    await nextTurn();
    sliceEnds = engineNow() + SLICE_MS;
  }
  clock.advanceTo(Math.max(lastAt, state?.at ?? 0) + STORED_WITHIN_MS);
  const sent = state?.connection.sent ?? 0;
  for (let lag = 0; outstanding.messages < sent && lag < LONGEST_LAG_MS; lag += LAG_STEP_MS)
    clock.advanceTo(clock.now() + LAG_STEP_MS);
  if (life.is === 'over') throw new SessionPastError('it is over');

  // A process that dies loses nothing that it has sent. A client that was away may have lost it.
  const arrived = state === null ? 0 : state.connection.flowing ? sent : state.connection.arrived;
  const endedAt = clock.now();
  const sinceStart = engineNow() - head.startedAt;
  const now =
    past.ageMs === null ? Math.max(endedAt, sinceStart) : endedAt + Math.max(0, past.ageMs - STORED_WITHIN_MS);
  const waiting = messages.filter(({ number }) => number > arrived).map(({ text }) => text);
  return {
    head,
    state,
    actors,
    clock,
    takers: current,
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

function eventsOf(entry: string): readonly RecordedEvent[] {
  let lines: unknown;
  try {
    lines = JSON.parse(entry);
  } catch (error) {
    throw new SessionPastError('an entry is damaged', { cause: error });
  }
  if (!Array.isArray(lines)) throw new SessionPastError('an entry is damaged');
  return lines.map((line) => {
    const recorded = decodeEvent(line);
    if (recorded === null) throw new SessionPastError('an entry is damaged');
    return recorded;
  });
}
