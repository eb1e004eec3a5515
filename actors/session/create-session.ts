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
  return new ActorSession(options);
}

class ActorSession implements Session {
  readonly #options: SessionOptions;
  readonly #bus = new Bus();
  readonly #queue = new EventQueue();
  readonly #timers: SessionTimers;
  readonly #env: SessionEnvironment;
  readonly #root: ReturnType<typeof createRoot>;
  #life: 'live' | 'over' = 'live';
  #work: 'idle' | 'working' = 'idle';

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#timers = new SessionTimers(options.clock, (first) => this.#do(first));
    this.#env = this.#environment();
    this.#root = createRoot(this.#env, this.#timers);
    this.#root.subscribe({ error: (error) => this.#fail(error) });
    this.#do(() => this.#root.start());
  }

  dispatch(event: SessionEvent): void {
    if (this.#life === 'over') return;
    // From inside a command: it happens at the time of what made the command.
    if (this.#work === 'idle') this.#timers.arrive(event.type === 'vad.window' ? roundTime(event.endsAt) : null);
    this.#queue.push(roundEvent(event));
    this.#do(() => {});
  }

  snapshot(): SessionSnapshot {
    return snapshotOf(this.#root.getSnapshot(), this.#env);
  }

  stop(): void {
    this.#end();
    this.#root.stop();
  }

  #environment(): SessionEnvironment {
    const { config, ids, endOfTurnModelAvailable, startedAtWall, log = () => {} } = this.#options;
    return {
      config,
      ids,
      endOfTurnModelAvailable,
      memory: newMemory(config),
      now: () => this.#timers.now(),
      iso: (at) => isoTime(startedAtWall + at),
      perform: (command) => this.#perform(command),
      tell: (event) => this.#bus.tell(event),
      join: (member) => this.#bus.join(member),
      log,
    };
  }

  /** One thing at a time; what arrives meanwhile waits for its turn. */
  #do(first: (settle: () => void) => void): void {
    if (this.#life === 'over' || this.#work === 'working') return;
    const bus = this.#bus;
    this.#work = 'working';
    try {
      first(() => bus.drain());
      bus.drain();
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        this.#options.record?.({ at: this.#timers.now(), event: next });
        if (next.type === 'vad.window') this.#env.memory.heardUntil = next.endsAt;
        bus.tell(next);
        bus.drain();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#work = 'idle';
    }
  }

  /** @returns undefined when there is none, or the session is over. */
  #next(): SessionEvent | undefined {
    if (this.#queue.isEmpty || !this.#isLive()) return undefined;
    // Also before an event from inside a command: a replay knows no more of it than its time.
    this.#timers.fireDue(() => this.#bus.drain());
    return this.#isLive() ? this.#queue.next() : undefined;
  }

  #isLive(): boolean {
    return this.#life === 'live';
  }

  #perform(command: SessionCommand): void {
    if (this.#life === 'over') return;
    if (command.type === 'session.close') this.#end();
    else if (command.type === 'speech.cut') this.#queue.dropSpeech();
    try {
      this.#options.perform(command);
    } catch (error) {
      this.#env.log('command_failed', { command: command.type, error: nameOf(error) });
    }
  }

  #end(): void {
    this.#life = 'over';
    this.#bus.close();
    this.#timers.stop();
  }

  /** A fault of ours: the session still ends, with a reason and a report. */
  #fail(error: unknown): void {
    if (this.#life === 'over') return;
    const { log, perform } = this.#env;
    const at = this.#timers.now();
    log('session_failed', { error: nameOf(error) });
    perform({ type: 'report', entry: { kind: 'error', at, code: 'engine_error' } });
    const { connected } = this.#root.getSnapshot().context;
    perform({ type: 'report', entry: { kind: 'end', end: sessionEnd('engine_error', connected, at) } });
    perform({ type: 'session.close', text: endOf('engine_error').told, reason: 'engine_error' });
  }
}

function createRoot(env: SessionEnvironment, clock: SessionTimers) {
  return createActor(sessionMachine, { input: { env }, clock });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
