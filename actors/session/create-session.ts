import { isoTime } from '../kernel/iso-time.ts';
import { createActor } from 'xstate';
import type { IdSource, SessionClock } from '../kernel/clock.ts';
import type { SessionCommand } from '../commands.ts';
import type { RecordedEvent, SessionEvent } from '../events.ts';
import { roundEvent, roundTime } from '../kernel/round-event.ts';
import { endOf, sessionEnd } from '../report-builder/end-reasons.ts';
import type { SessionConfig } from '../session-config.ts';
import { Bus } from '../kernel/bus.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { EventQueue } from '../kernel/event-queue.ts';
import { newMemory } from '../session-memory.ts';
import { SessionTimers } from '../kernel/session-timers.ts';
import { sessionMachine } from './session-machine.ts';
import { snapshotOf, type SessionSnapshot } from './session-snapshot.ts';

export interface SessionOptions {
  readonly config: SessionConfig;
  readonly clock: SessionClock;
  readonly ids: IdSource;
  /** Wall-clock time at `clock.now() === 0`, ms since the epoch: for the ISO times in messages. */
  readonly startedAtWall: number;
  /**
   * Carries a command out. It may answer at once, by calling `dispatch` from inside. What it throws is logged and
   * forgotten.
   */
  readonly perform: (command: SessionCommand) => void;
  /** Whether `endOfTurn.predict` will be answered. */
  readonly endOfTurnModelAvailable: boolean;
  /** Codes and numbers for the log, never content. */
  readonly log?: (code: string, details?: Readonly<Record<string, string | number | boolean | null>>) => void;
  /** The flight recorder: every event with the time that the tree decides by. */
  readonly record?: (recorded: RecordedEvent) => void;
}

export interface Session {
  /** Never throws. After the end it does nothing. */
  dispatch(event: SessionEvent): void;
  /** For the console and for tests: who has the floor, what each actor is at. */
  snapshot(): SessionSnapshot;
  /** Forgets everything without a word: no command follows. For a host that is going away itself. */
  stop(): void;
}

/** One conversation: events in, commands out. The same events at the same times give the same commands. */
export function createSession(options: SessionOptions): Session {
  const { config, ids, perform, log = () => {}, record } = options;
  const bus = new Bus();
  const queue = new EventQueue();
  let life: 'live' | 'over' = 'live';
  const isOver = () => life === 'over';
  let working = false;

  /** One thing at a time; what arrives meanwhile waits for its turn. */
  function work(first: (settle: () => void) => void): void {
    if (isOver() || working) return;
    working = true;
    try {
      first(() => bus.drain());
      bus.drain();
      for (let next = queue.next(); next !== undefined && !isOver(); next = queue.next()) {
        record?.({ at: timers.now(), event: next });
        if (next.type === 'vad.window') env.memory.heardUntil = next.endsAt;
        bus.tell(next);
        bus.drain();
      }
    } catch (error) {
      fail(error);
    } finally {
      working = false;
    }
  }

  const timers = new SessionTimers(options.clock, work);

  const env: SessionEnvironment = {
    config,
    ids,
    endOfTurnModelAvailable: options.endOfTurnModelAvailable,
    memory: newMemory(config),
    now: () => timers.now(),
    iso: (at) => isoTime(options.startedAtWall + at),
    perform: (command) => {
      if (isOver()) return;
      if (command.type === 'session.close') end();
      else if (command.type === 'speech.cut') queue.dropSpeech();
      try {
        perform(command);
      } catch (error) {
        log('command_failed', { command: command.type, error: error instanceof Error ? error.name : 'unknown' });
      }
    },
    tell: (event) => bus.tell(event),
    join: (member) => bus.join(member),
    log,
  };

  const root = createActor(sessionMachine, { input: { env }, clock: timers });
  root.subscribe({ error: (error) => fail(error) });

  function end(): void {
    life = 'over';
    bus.close();
    timers.stop();
  }

  /** A fault of ours: the session still ends, with a reason and a report. */
  function fail(error: unknown): void {
    if (isOver()) return;
    log('session_failed', { error: error instanceof Error ? error.name : 'unknown' });
    env.perform({ type: 'report', entry: { kind: 'error', at: timers.now(), code: 'engine_error' } });
    const { connected } = root.getSnapshot().context;
    env.perform({ type: 'report', entry: { kind: 'end', end: sessionEnd('engine_error', connected, timers.now()) } });
    env.perform({ type: 'session.close', text: endOf('engine_error').told, reason: 'engine_error' });
  }

  work(() => root.start());

  return {
    dispatch(event) {
      if (isOver()) return;
      // From inside a command: it happens at the time of what made the command.
      if (!working) timers.arrive(event.type === 'vad.window' ? roundTime(event.endsAt) : null);
      queue.push(roundEvent(event));
      work(() => {});
    },
    snapshot: () => snapshotOf(root.getSnapshot(), env),
    stop() {
      end();
      root.stop();
    },
  };
}
