import type { Redis } from 'ioredis';
import type { PlacementRequest } from './engine-places.ts';
import type { ChosenEngine, EngineNode, EngineRegistry, EngineReport } from './engine-registry.ts';
import { ENGINE_LEASE_MS, RESERVATION_MS } from './lease.ts';
import {
  ANY_ENGINE,
  CLAIM,
  COUNT_PLACES,
  DROP_RESERVATION,
  FIND_ENGINE,
  FIND_OWNER,
  FIND_LOST,
  LEAVE,
  RENEW_ENGINE,
  RESERVE,
} from './placement-scripts.ts';
import { KEY_PREFIX, type Script } from '../store/redis.ts';

interface Scripts {
  parleyRenewEngine: Script<string>;
  parleyLeaveEngine: Script<number>;
  parleyClaimPlace: Script<number>;
  parleyReservePlace: Script<[string] | [engineId: string, fence: string, url: string]>;
  parleyDropReservation: Script<number>;
  parleyFindOwner: Script<[] | [engineId: string, url: string]>;
  parleyFindLost: Script<string[]>;
  parleyFindEngine: Script<[] | [engineId: string, url: string]>;
  parleyAnyEngine: Script<[] | [engineId: string, url: string]>;
  parleyCountPlaces: Script<[places: number, free: number]>;
}

/**
 * Who has a session is kept this long, ms, also after its end: a client that comes back then is told why it ended. The
 * entry counts only while its engine has its lease.
 */
const OWNER_KEPT_MS = 60_000;

/** The engines of all nodes that use one Redis. `placement-scripts.ts` says what is stored. */
export class EngineRegistryInRedis implements EngineRegistry {
  readonly #redis: Redis & Scripts;

  constructor(redis: Redis) {
    redis.defineCommand('parleyRenewEngine', { lua: RENEW_ENGINE });
    redis.defineCommand('parleyLeaveEngine', { lua: LEAVE });
    redis.defineCommand('parleyClaimPlace', { lua: CLAIM });
    redis.defineCommand('parleyReservePlace', { lua: RESERVE });
    redis.defineCommand('parleyDropReservation', { lua: DROP_RESERVATION });
    redis.defineCommand('parleyFindOwner', { lua: FIND_OWNER });
    redis.defineCommand('parleyFindLost', { lua: FIND_LOST });
    redis.defineCommand('parleyFindEngine', { lua: FIND_ENGINE });
    redis.defineCommand('parleyAnyEngine', { lua: ANY_ENGINE });
    redis.defineCommand('parleyCountPlaces', { lua: COUNT_PLACES });
    this.#redis = redis as Redis & Scripts;
  }

  async renew({ id, region, url, version, places, used, draining }: EngineReport, fence: string | null) {
    const answer = await this.#redis.parleyRenewEngine(
      1,
      KEY_PREFIX,
      id,
      fence ?? '',
      ENGINE_LEASE_MS,
      region,
      url,
      version,
      places,
      used,
      draining ? 1 : 0,
    );
    return answer === '' ? null : answer;
  }

  async leave(engineId: string, fence: string): Promise<void> {
    await this.#redis.parleyLeaveEngine(1, KEY_PREFIX, engineId, fence);
  }

  async own(engineId: string, fence: string, sessionIds: readonly string[]): Promise<void> {
    const writing = this.#redis.pipeline();
    for (const id of sessionIds) writing.set(`${KEY_PREFIX}owner:${id}`, `${engineId}:${fence}`, 'PX', OWNER_KEPT_MS);
    await writing.exec();
  }

  async claim(engineId: string, fence: string, reservationId: string): Promise<boolean> {
    return (await this.#redis.parleyClaimPlace(1, KEY_PREFIX, engineId, fence, reservationId)) === 1;
  }

  async reserve(
    reservationId: string,
    { region, policy }: PlacementRequest,
    unwanted: readonly string[],
  ): Promise<ChosenEngine | 'full' | 'none'> {
    const answer = await this.#redis.parleyReservePlace(
      1,
      KEY_PREFIX,
      reservationId,
      RESERVATION_MS,
      region ?? '',
      policy,
      ...unwanted,
    );
    if (answer.length === 3) return { engineId: answer[0], fence: answer[1], url: answer[2] };
    return answer[0] === 'full' ? 'full' : 'none';
  }

  async drop(engineId: string, reservationId: string): Promise<void> {
    await this.#redis.parleyDropReservation(1, KEY_PREFIX, engineId, reservationId);
  }

  async ownerOf(sessionId: string): Promise<EngineNode | null> {
    return nodeOf(await this.#redis.parleyFindOwner(1, KEY_PREFIX, sessionId));
  }

  async findLost(engineId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    return this.#redis.parleyFindLost(1, KEY_PREFIX, engineId, ...sessionIds);
  }

  async engine(engineId: string): Promise<EngineNode | null> {
    return nodeOf(await this.#redis.parleyFindEngine(1, KEY_PREFIX, engineId));
  }

  async anyEngine(): Promise<EngineNode | null> {
    return nodeOf(await this.#redis.parleyAnyEngine(1, KEY_PREFIX));
  }

  async count(): Promise<{ readonly places: number; readonly free: number }> {
    const [places, free] = await this.#redis.parleyCountPlaces(1, KEY_PREFIX);
    return { places, free };
  }

  onRestart(listener: () => void): () => void {
    this.#redis.on('ready', listener);
    return () => void this.#redis.off('ready', listener);
  }
}

function nodeOf([engineId, url]: readonly [] | readonly [string, string]): EngineNode | null {
  return engineId === undefined || url === undefined ? null : { engineId, url };
}
