import {
  Cluster,
  EngineRegistryInRedis,
  isBusy,
  MovesInRedis,
  type ClusterOptions,
  type EngineRegistry,
  type Reservations,
  type Settings,
} from '../../control/index.ts';
import type { Redis } from 'ioredis';
import { VERSION, type RunningEngine } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Foundation } from './foundation.ts';

/** @returns this process as one of several; null when it is alone, or only counts with others. */
function clusterOf({
  settings,
  redis,
  registry = null,
  nodeUrl,
  engine,
  reservations,
  ...options
}: Pick<ClusterOptions, 'keys' | 'log' | 'journals'> & {
  readonly settings: Settings;
  readonly redis: Redis | null;
  /** The engines of this machine, when there are several. @defaultValue there is one, and Redis may know others */
  readonly registry?: EngineRegistry | null;
  /** Where other processes reach this one, if not as the settings say. It listens by the time when this is called. */
  readonly nodeUrl?: () => string;
  readonly engine: Pick<RunningEngine, 'status' | 'isLive'>;
  readonly reservations: Reservations;
}): Cluster | null {
  const { PARLEY_ROLE: role, PARLEY_NODE_URL: url, PARLEY_ENGINE_ID: id, PARLEY_REGION: region } = settings;
  const isAlone = registry === null && (redis === null || (role !== 'control' && url === undefined));
  const known = registry ?? (redis === null ? null : new EngineRegistryInRedis(redis));
  if (isAlone || known === null) return null;
  const places = (): number => {
    const { activeSessions, free } = engine.status();
    return activeSessions + Math.max(0, free - reservations.count(null, null));
  };
  return new Cluster({
    ...options,
    registry: known,
    moves: registry === null && redis !== null ? new MovesInRedis(redis) : null,
    isHere: (sessionId) => engine.isLive(sessionId),
    engine:
      role === 'control'
        ? null
        : {
            engine: {
              id,
              region,
              version: VERSION,
              get url() {
                return nodeUrl?.() ?? url ?? '';
              },
            },
            places,
            busy: () => isBusy(engine.status()),
          },
    timers: systemTimers,
    now: Date.now,
  });
}

/** The same, until `closing`. @param how differs between the processes of a service. */
export function openCluster(
  closing: AsyncDisposableStack,
  { settings, storage: { redis, secrets }, log }: Foundation,
  how: Pick<Parameters<typeof clusterOf>[0], 'engine' | 'journals' | 'nodeUrl' | 'registry' | 'reservations'>,
): Cluster | null {
  const cluster = clusterOf({ settings, redis, keys: secrets.derive('internal-requests'), log, ...how });
  closing.defer(() => cluster?.close());
  return cluster;
}
