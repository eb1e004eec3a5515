import {
  Cluster,
  EngineRegistryInRedis,
  MovesInRedis,
  type ClusterOptions,
  type Reservations,
  type Settings,
} from '../../control/index.ts';
import type { Redis } from 'ioredis';
import { VERSION, type RunningEngine } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';

/** @returns this process as one of several; null when it is alone, or only counts with others. */
export function clusterOf({
  settings,
  redis,
  engine,
  reservations,
  ...options
}: Pick<ClusterOptions, 'keys' | 'log' | 'journals'> & {
  readonly settings: Settings;
  readonly redis: Redis | null;
  readonly engine: Pick<RunningEngine, 'status' | 'isLive'>;
  readonly reservations: Reservations;
}): Cluster | null {
  const { PARLEY_ROLE: role, PARLEY_NODE_URL: url, PARLEY_ENGINE_ID: id, PARLEY_REGION: region } = settings;
  if (redis === null || (role !== 'control' && url === undefined)) return null;
  const places = (): number => {
    const { activeSessions, free } = engine.status();
    return activeSessions + Math.max(0, free - reservations.count(null, null));
  };
  return new Cluster({
    ...options,
    registry: new EngineRegistryInRedis(redis),
    moves: new MovesInRedis(redis),
    isHere: (sessionId) => engine.isLive(sessionId),
    engine: role === 'control' || url === undefined ? null : { engine: { id, region, url, version: VERSION }, places },
    timers: systemTimers,
    now: Date.now,
  });
}
