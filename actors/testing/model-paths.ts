import { createActor, type AnyStateMachine } from 'xstate';
import type { InnerEvent, BusEvent } from '../session/inner-events.ts';
import type { SessionCommand } from '../commands.ts';
import type { SessionEnvironment } from '../session/environment.ts';
import { UNKNOWN_LEVEL } from '../floor/speaker-level.ts';
import { SteppingClock } from '../stepping-clock.ts';
import { testConfig } from './session-config.ts';

/** One thing that may happen to a machine: an event, or time that passes. */
export type Move = BusEvent | { readonly type: 'time'; readonly ms: number };

export interface Visited {
  /** The machine's state, as text. */
  readonly state: string;
  readonly path: readonly Move[];
  readonly told: readonly InnerEvent[];
  readonly commands: readonly SessionCommand[];
  readonly value: unknown;
}

/** Runs one machine alone through a path of moves. */
export function walk(machine: AnyStateMachine, path: readonly Move[]): Visited {
  const clock = new SteppingClock();
  const told: InnerEvent[] = [];
  const commands: SessionCommand[] = [];
  const env = {
    config: testConfig(), now: () => clock.now(), iso: () => '', tell: (event: InnerEvent) => told.push(event), join: () => {}, perform: (command: SessionCommand) => commands.push(command),
    ids: { uuid: () => 'id' }, log: () => {}, endOfTurnModelAvailable: false,
    memory: { settings: { languageCode: 'en', voiceDetection: testConfig().voiceDetection, tuning: {} }, heardUntil: 0, speaker: UNKNOWN_LEVEL },
  } as unknown as SessionEnvironment;
  const actor = createActor(machine, { input: { env }, clock });
  actor.start();
  for (const move of path) {
    if (move.type === 'time') clock.advance(move.ms);
    else actor.send(move);
  }
  const { value } = actor.getSnapshot();
  actor.stop();
  return { state: JSON.stringify(value), path, told, commands, value };
}

/** Every state that can be reached by these moves, with a shortest path to it. */
export function reachable(machine: AnyStateMachine, moves: readonly Move[]): Visited[] {
  const first = walk(machine, []);
  const found = new Map([[first.state, first]]);
  for (const visited of found.values()) {
    for (const move of moves) {
      const next = walk(machine, [...visited.path, move]);
      // The map grows while it is walked: breadth first.
      if (!found.has(next.state)) found.set(next.state, next);
    }
  }
  return [...found.values()];
}
