import type { SnapshotFrom } from 'xstate';
import { floorOwner, type FloorOwner } from '../floor/floor-owner.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { sessionMachine } from './session-machine.ts';

export interface SessionSnapshot {
  readonly at: number;
  readonly session: string;
  readonly floor: FloorOwner;
  /** State of each actor, as XState writes it. */
  readonly actors: Readonly<Record<string, unknown>>;
  readonly historyEntries: number;
}

export function snapshotOf(snapshot: SnapshotFrom<typeof sessionMachine>, env: SessionEnvironment): SessionSnapshot {
  const actors: Record<string, unknown> = {};
  for (const [id, child] of Object.entries(snapshot.children)) {
    const state = child?.getSnapshot() as { value?: unknown } | undefined;
    actors[id] = state?.value ?? null;
  }
  const { value } = snapshot;
  return {
    at: env.now(),
    session: typeof value === 'string' ? value : value.live,
    floor: floorOwner(actors['floor']),
    actors,
    historyEntries: env.memory.history.length,
  };
}
