import { startPostgres, type TestPostgres } from '../../control/testing/postgres.ts';
import { type PrivateRedis, startPrivateRedis } from '../../control/testing/private-redis.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import { type RunningService, startService } from './service.ts';

/** Several real services that are one, on a PostgreSQL and a Redis of their own. */
export interface RunningNodes {
  readonly redis: PrivateRedis;
  readonly databaseUrl: string;
  /** @param id its `PARLEY_ENGINE_ID`. */
  start(id: string, env?: Record<string, string>): Promise<RunningService>;
  /** After the services were stopped. */
  stop(): Promise<void>;
}

export async function openNodes(): Promise<RunningNodes> {
  const [redis, postgres]: [PrivateRedis, TestPostgres] = await Promise.all([startPrivateRedis(), startPostgres()]);
  const databaseUrl = await postgres.createDatabase();
  return {
    redis,
    databaseUrl,
    async start(id, env = {}) {
      const port = await freePort();
      return startService({
        port,
        env: {
          DATABASE_URL: databaseUrl,
          REDIS_URL: redis.url,
          PARLEY_ENGINE_ID: id,
          PARLEY_NODE_URL: `http://127.0.0.1:${port}`,
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
