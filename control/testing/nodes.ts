import pino from 'pino';
import { systemTimers } from '../../runtime/clock.ts';
import { masterKeys } from '../access/master-key.ts';
import { Cluster } from '../cluster/cluster.ts';
import { EngineRegistryInRedis } from '../placement/engine-registry-in-redis.ts';
import { openRedis } from '../store/redis.ts';
import { SlotsInRedis } from '../placement/slots-in-redis.ts';
import { openStore } from '../store/open.ts';
import { freePort } from '../../runtime/testing/free-port.ts';
import { startTestService, type TestService } from './service.ts';

const MASTER_KEY = 'a master key that all nodes have';

/** One of several services that are one, on one PostgreSQL and one Redis, with a fake engine. */
export interface TestNode {
  readonly service: TestService;
  readonly cluster: Cluster;
  readonly url: string;
  close(): Promise<void>;
}

export interface TestNodeOptions {
  readonly id: string;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly places: number;
  readonly region?: string;
  readonly settings?: Record<string, string>;
  /** How far its clock is ahead, ms. @defaultValue it is right */
  readonly clockAheadMs?: number;
}

export async function openTestNode(options: TestNodeOptions): Promise<TestNode> {
  const { id, region = 'eu', places, clockAheadMs = 0 } = options;
  const now = (): number => Date.now() + clockAheadMs;
  const log = pino({ level: 'silent' });
  const store = await openStore({ dataDir: '', databaseUrl: options.databaseUrl });
  const redis = await openRedis(options.redisUrl, log);
  const slotLedger = new SlotsInRedis(redis, { timers: systemTimers, now, log });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let cluster: Cluster | undefined;
  const service = await startTestService(store, {
    redis,
    slotLedger,
    masterKey: MASTER_KEY,
    settings: settingsOf(options, url),
    cluster: (engine) =>
      (cluster = new Cluster({
        registry: new EngineRegistryInRedis(redis),
        keys: masterKeys([MASTER_KEY]).derive('internal-requests'),
        engine:
          options.settings?.['PARLEY_ROLE'] === 'control'
            ? null
            : {
                engine: { id, region, url, version: '1' },
                places: () => engine.status().activeSessions + engine.status().free,
              },
        timers: systemTimers,
        now,
        log,
      })),
  });
  service.clock.now += clockAheadMs;
  service.engine.capacity = places;
  await service.app.listen({ host: '127.0.0.1', port });
  await cluster!.start();
  return {
    service,
    cluster: cluster!,
    url,
    async close() {
      await service.close();
      await cluster!.close();
      await slotLedger.close();
      redis.disconnect();
      await store.close();
    },
  };
}

function settingsOf({ id, region = 'eu', databaseUrl, redisUrl, settings }: TestNodeOptions, url: string) {
  return {
    PARLEY_ENGINE_ID: id,
    PARLEY_REGION: region,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PARLEY_MASTER_KEY: MASTER_KEY,
    PARLEY_NODE_URL: url,
    ...settings,
  };
}
