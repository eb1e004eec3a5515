import type { Redis } from 'ioredis';
import pino from 'pino';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import { EngineLease } from '../placement/engine-lease.ts';
import { EngineRegistryInRedis } from '../placement/engine-registry-in-redis.ts';
import { KEY_PREFIX, openRedis } from '../store/redis.ts';

/** Engines that nodes know through Redis, without their processes. */
export interface EnginesInRedis {
  /** Starts one. `places` may change. */
  open(id: string, engine: { region?: string; places: number }, timers?: Timers): Promise<EngineLease>;
  /** The lease of an engine ends now, as when its process died 8 s ago. */
  endLease(id: string): Promise<void>;
  /** The time of what was reserved on an engine is over, as when the node that did it died 5 s ago. */
  endReservations(id: string): Promise<void>;
  close(): Promise<void>;
}

export async function openEngines(redisUrl: string): Promise<EnginesInRedis> {
  const log = pino({ level: 'silent' });
  const redis: Redis = await openRedis(redisUrl, log);
  const registry = new EngineRegistryInRedis(redis);
  const leases: EngineLease[] = [];
  return {
    async open(id, engine, timers = systemTimers) {
      const lease = new EngineLease({
        registry,
        engine: { id, region: engine.region ?? 'eu', url: `http://${id}.internal`, version: '1' },
        places: () => engine.places,
        timers,
        log,
      });
      leases.push(lease);
      await lease.start();
      return lease;
    },
    async endLease(id) {
      await redis.zadd(`${KEY_PREFIX}engines`, 1, id);
    },
    async endReservations(id) {
      const key = `${KEY_PREFIX}pending:${id}`;
      for (const reservation of await redis.zrange(key, '0', '-1')) await redis.zadd(key, 1, String(reservation));
    },
    async close() {
      await Promise.all(leases.map((lease) => lease.close()));
      redis.disconnect();
    },
  };
}
