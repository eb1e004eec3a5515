import type { Redis, RedisOptions } from 'ioredis';
import type { Logger } from '../../runtime/log.ts';
import { StartError } from '../../runtime/start-error.ts';

/** All keys of one script are in one slot of a Redis Cluster if they share what is in the braces. */
export const KEY_PREFIX = '{parley}:';

/** A script as a command of the connection (`defineCommand`). All of its keys begin with the prefix. */
export type Script<Answer> = (
  keys: 1,
  prefix: typeof KEY_PREFIX,
  ...args: readonly (string | number)[]
) => Promise<Answer>;

/** An attempt to connect may take so long, ms. */
const CONNECT_TIMEOUT_MS = 2000;
/** A Redis that starts together with Parley answers within seconds. */
const FIRST_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 300;
/** Once it has worked, the connection is tried again without an end, at least this often, ms. */
const MAX_PAUSE_MS = 1000;
/** A caller who waits for Redis gets an error after this time, ms. Redis itself answers within one. */
const COMMAND_TIMEOUT_MS = 2000;
/**
 * A connection whose command has no answer for so long is replaced, ms. A fail-over or a firewall leaves it silent for good;
 * the time-out of a command alone keeps it.
 */
const SILENT_MS = 3000;

/**
 * Connects to Redis. A command fails at once while the connection is broken, and the connection comes back by itself.
 * ioredis is loaded here and nowhere else, so that a service without Redis does not load it.
 * @param own what differs for this use, for example `maxRetriesPerRequest: null` for blocking reads.
 * @throws StartError when Redis does not answer within some 20 s, or refuses the password.
 */
export async function openRedis(
  url: string,
  log: Pick<Logger, 'error' | 'info'>,
  own: RedisOptions = {},
): Promise<Redis> {
  const { Redis } = await import('ioredis');
  let everReady = false;
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENT_MS,
    keepAlive: SILENT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    ...own,
    retryStrategy: (attempt) => {
      if (everReady) return Math.min(50 * attempt, MAX_PAUSE_MS);
      return attempt < FIRST_ATTEMPTS ? FIRST_PAUSE_MS : null;
    },
  });
  let problem = 'the connection was closed';
  let isAway = false;
  redis.on('error', (error: Error) => {
    problem = error.message;
    if (!everReady || isAway) return;
    isAway = true;
    log.error({ problem }, 'Redis does not answer; the connection is tried again until it does');
  });
  redis.on('ready', () => {
    if (isAway) log.info('Redis answers again');
    isAway = false;
  });
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', () => {
      everReady = true;
      resolve();
    });
    redis.once('end', () => reject(new StartError(`REDIS_URL: Redis does not answer (${problem}).`)));
  });
  return redis;
}
