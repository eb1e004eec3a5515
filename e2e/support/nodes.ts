import { startPostgres, type OwnPostgres } from '../../control/testing/postgres.ts';
import { type PrivateRedis, startPrivateRedis } from '../../control/testing/private-redis.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import type { Machine } from './machine-network.ts';
import { type RunningService, startService } from './service.ts';

/** Several real services that are one, on a PostgreSQL and a Redis of their own. */
export interface RunningNodes {
  readonly redis: PrivateRedis;
  readonly postgres: OwnPostgres;
  readonly databaseUrl: string;
  /**
   * @param id its `PARLEY_ENGINE_ID`. @param machine where it runs. @defaultValue this one, on the loopback interface.
   * @param dataDir of an earlier life, which is not deleted. @defaultValue a new one
   */
  start(id: string, env?: Record<string, string>, machine?: Machine, dataDir?: string): Promise<RunningService>;
  /** After the services were stopped. */
  stop(): Promise<void>;
}

/** @param host the address where machines reach PostgreSQL and Redis. */
export async function openNodes(host = '127.0.0.1'): Promise<RunningNodes> {
  const [redis, postgres]: [PrivateRedis, OwnPostgres] = await Promise.all([
    startPrivateRedis(undefined, host),
    startPostgres(host),
  ]);
  const databaseUrl = await postgres.createDatabase();
  return {
    redis,
    postgres,
    databaseUrl,
    async start(id, env = {}, machine, dataDir) {
      const port = await freePort();
      return startService({
        port,
        ...(dataDir !== undefined && { dataDir }),
        ...(machine && { host: machine.address, namespace: machine.namespace }),
        env: {
          DATABASE_URL: databaseUrl,
          REDIS_URL: redis.url,
          PARLEY_ENGINE_ID: id,
          PARLEY_NODE_URL: `http://${machine?.address ?? '127.0.0.1'}:${port}`,
          PARLEY_MASTER_KEY: 'a master key that all nodes have',
          ...env,
        },
      });
    },
    async stop() {
      await redis.stop();
      await postgres.stop();
    },
  };
}
