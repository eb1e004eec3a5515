import { createActor, setup, type AnyStateMachine } from 'xstate';
import type { SessionCommand } from '../commands.ts';
import type { ConversationHistory } from '../history/conversation-history.ts';
import type { TurnControl, TurnLeft } from '../reply/reply-events.ts';
import type { ToolCallAnswered, ToolCallEvent } from '../reply/tool-call-actions.ts';
import { Bus } from '../kernel/bus.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { BusEvent, InnerEvent } from '../kernel/inner-events.ts';
import { newMemory } from '../session-memory.ts';
import type { SessionConfig } from '../session-config.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { testConfig } from './session-config.ts';

/** What may be sent to a machine: by the bus, or by the one that started it. */
export type ModelEvent = BusEvent | TurnControl | ToolCallEvent;
/**
 * One thing that may happen: an event, time that passes, or the answer to what has been asked for so far (null: nothing
 * was).
 */
export type Move =
  | ModelEvent
  | { readonly type: 'time'; readonly ms: number }
  | ((commands: readonly SessionCommand[]) => ModelEvent | null);

/** A machine by itself, and all that may happen to it. */
export interface Model {
  readonly machine: AnyStateMachine;
  readonly moves: readonly Move[];
  readonly config?: Partial<SessionConfig>;
  /** What the machine is started with besides the session's environment. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What makes two states differ that have the same name. Must have few values, or the walk has no end. */
  readonly tellApart?: (context: never, told: readonly InnerEvent[]) => unknown;
}

export interface Visited {
  /** The state of the machine and of those of its children that live, as text. */
  readonly state: string;
  readonly value: unknown;
  readonly path: readonly Move[];
  /** The events of that path. */
  readonly events: readonly ModelEvent[];
  readonly told: readonly InnerEvent[];
  readonly commands: readonly SessionCommand[];
  /** What it has sent to the one that started it. */
  readonly reported: readonly (TurnLeft | ToolCallAnswered)[];
  readonly history: ConversationHistory;
}

interface Snapshot {
  readonly value: unknown;
  readonly status: string;
}

/** Runs a machine alone through a path of moves, on the bus of a session. What it throws is thrown. */
export function walk(model: Model, path: readonly Move[]): Visited {
  const bus = new Bus();
  const clock = new DrainingClock(bus);
  const events: ModelEvent[] = [];
  const told: InnerEvent[] = [];
  const commands: SessionCommand[] = [];
  const reported: (TurnLeft | ToolCallAnswered)[] = [];
  const faults: unknown[] = [];
  const config = testConfig(model.config);
  const memory = newMemory(config);
  let ids = 0;
  const env: SessionEnvironment = {
    config,
    memory,
    now: () => clock.now(),
    iso: () => '',
    log: () => {},
    endOfTurnModelAvailable: false,
    ids: { uuid: () => `id-${(ids += 1)}`, secret: () => 'c0de' },
    perform: (command) => commands.push(command),
    tell: (event) => {
      told.push(event);
      bus.tell(event);
    },
    join: (member) => bus.join(member),
  };
  const listener = listenTo(model, env, reported, faults);
  const root = createActor(listener, { clock }).start();
  const tested = root.getSnapshot().children['tested']!;
  bus.drain();
  for (const move of path) {
    const event = typeof move === 'function' ? move(commands) : move;
    if (event === null) continue;
    if (event.type === 'time') {
      clock.advance(event.ms);
    } else {
      events.push(event);
      bus.tell(event as BusEvent);
      bus.drain();
    }
  }
  const { value, context, children } = tested.getSnapshot() as unknown as Snapshot & {
    readonly context: never;
    readonly children: Readonly<Record<string, { getSnapshot(): Snapshot }>>;
  };
  const alive = Object.values(children)
    .map((child) => child.getSnapshot())
    .filter(({ status }) => status === 'active');
  const state = JSON.stringify([value, alive.map((child) => child.value), model.tellApart?.(context, told)]);
  root.stop();
  if (faults.length > 0) throw faults[0];
  return { state, value, path, events, told, commands, reported, history: memory.history };
}

/**
 * Some machines report to the one that started them, so each is started by one that listens.
 * @param reported gets what it reports. @param faults gets what it throws.
 */
function listenTo(model: Model, env: SessionEnvironment, reported: (TurnLeft | ToolCallAnswered)[], faults: unknown[]) {
  return setup({
    types: {} as {
      events: TurnLeft | ToolCallAnswered | { readonly type: 'xstate.error.actor.tested'; readonly error: unknown };
    },
    actors: { tested: model.machine },
  }).createMachine({
    invoke: { id: 'tested', src: 'tested', input: { ...model.input, env } },
    on: {
      'turn.left': { actions: ({ event }) => reported.push(event) },
      'call.answered': { actions: ({ event }) => reported.push(event) },
      'xstate.error.actor.tested': { actions: ({ event }) => faults.push(event.error) },
    },
  });
}

/** Every state that can be reached, with a shortest path to it. */
export function reachable(model: Model): Visited[] {
  const first = walk(model, []);
  const found = new Map([[first.state, first]]);
  for (const visited of found.values()) {
    for (const move of model.moves) {
      const next = walk(model, [...visited.path, move]);
      // The map grows while it is walked: breadth first.
      if (!found.has(next.state)) found.set(next.state, next);
    }
  }
  return [...found.values()];
}

/** How often something was told to have begun, less how often to be over. */
export function pending(told: readonly InnerEvent[], begun: InnerEvent['type'], over: InnerEvent['type']): number {
  const times = (type: InnerEvent['type']): number => told.filter((event) => event.type === type).length;
  return times(begun) - times(over);
}

/** As in a session, what a timer tells is heard before the next one fires. */
class DrainingClock extends SteppingClock {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    super();
    this.#bus = bus;
  }

  override setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown {
    const fire = (...args: unknown[]) => {
      fn(...args);
      this.#bus.drain();
    };
    return super.setTimeout(fire, timeoutMs);
  }
}
