import type { EngineStatus, Engine } from '../../../engine/ports.ts';
import { LOAD_SHEDDING } from '../../../engine/index.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { EngineProcesses } from '../../placement/engine-processes/engine-processes.ts';
import type { Reservations } from '../../placement/reservations.ts';

/** What is taken of the service here. */
export interface EnginesOfParts {
  readonly engine: Engine;
  readonly cluster: Cluster | null;
  readonly machine: Pick<EngineProcesses, 'list' | 'liveSessions'> | null;
  readonly reservations: Reservations;
  readonly draining: () => boolean;
}

/** What `/readyz` says of engines. */
export type EnginesState = Omit<EngineStatus, 'free' | 'paths'> & {
  /** Without those that are kept for meetings. */
  readonly freePlaces: number;
};

/** The engine of this process, or all engines for a process that has none. */
export async function enginesOf({
  engine,
  cluster,
  machine,
  reservations,
  draining,
}: EnginesOfParts): Promise<EnginesState> {
  const { free: freeHere, paths: _, ...here } = engine.status();
  if (cluster === null || cluster.lease !== null)
    return { ...here, freePlaces: Math.max(0, freeHere - reservations.count(null, null)) };
  // Those of other machines are not its own: nobody waits for them before it is stopped.
  if (draining() && machine === null) return { ...here, freePlaces: 0 };
  const { places, free } = await cluster.placement.count().catch(() => ({ places: 0, free: 0 }));
  const states = machine?.list().flatMap(({ state }) => state?.status ?? []) ?? [];
  const worst = {
    promise: states.some(({ promise }) => promise === 'at risk') ? ('at risk' as const) : here.promise,
    saving: LOAD_SHEDDING[Math.max(0, ...states.map(({ saving }) => LOAD_SHEDDING.indexOf(saving)))] ?? here.saving,
  };
  // Processes that drain offer no places, and their sessions are live all the same.
  const activeSessions = Math.max(places - free, machine?.liveSessions ?? 0);
  const capacity = Math.max(places, activeSessions);
  const capacityAlone = states.reduce((sum, state) => sum + state.capacityAlone, 0);
  return {
    ...here,
    ...worst,
    ready: places > 0,
    activeSessions,
    capacity,
    // Of engines on other machines nobody knows it here.
    capacityAlone: Math.max(capacity, capacityAlone),
    freePlaces: free,
  };
}
