import type { Settings } from '../../settings/settings.ts';
import type { Engine } from '../../../engine/ports.ts';
import type { SessionSlots } from '../../placement/session-slots.ts';
import type { Cluster } from '../../cluster/cluster.ts';

/** What is taken of the service here. */
export interface ConcurrencyParts {
  readonly settings: Pick<Settings, 'PARLEY_MAX_SESSIONS_PER_ORGANIZATION'>;
  readonly engine: Engine;
  readonly slots: SessionSlots;
  readonly cluster: Cluster | null;
}

/** How many sessions of an organization run, how many may, and whether one more could start now. */
export async function concurrencyOf(
  control: ConcurrencyParts,
  organizationId: string,
): Promise<{ readonly limit: number; readonly active: number; readonly canStartSession: boolean }> {
  const { engine, cluster, settings, slots } = control;
  const { PARLEY_MAX_SESSIONS_PER_ORGANIZATION: ofOrganization } = settings;
  const limitOf = (places: number): number => Math.min(places, ofOrganization ?? places);
  const here = {
    limit: limitOf(engine.status().capacity),
    active: engine.liveSessions(organizationId),
    canStartSession: engine.status().ready && (await slots.isFree({ organizationId })),
  };
  if (cluster === null) return here;
  try {
    const [{ places, free }, active, mayStart] = await Promise.all([
      cluster.placement.count(),
      slots.count(organizationId),
      slots.isFreeFor(organizationId),
    ]);
    return { limit: limitOf(places), active, canStartSession: free > 0 && mayStart };
  } catch {
    // Without Redis nothing starts, and only this node's sessions are known.
    return { ...here, canStartSession: false };
  }
}
