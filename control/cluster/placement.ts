import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from '../../engine/log.ts';
import { HttpError } from '../errors.ts';
import { noEngineIn, type PlaceWish } from '../sessions/engine-places.ts';
import { sessionErrors } from '../sessions/session-errors.ts';
import { RESERVATION_MS } from './lease.ts';
import { ANY_ENGINE, COUNT_PLACES, DROP_RESERVATION, FIND_ENGINE, FIND_OWNER, RESERVE } from './placement-scripts.ts';
import { KEY_PREFIX, type Script } from './redis.ts';

interface Scripts {
  parleyReservePlace: Script<[string] | [engineId: string, fence: string, url: string]>;
  parleyDropReservation: Script<number>;
  parleyFindOwner: Script<[] | [engineId: string, url: string]>;
  parleyFindEngine: Script<[] | [engineId: string, url: string]>;
  parleyAnyEngine: Script<[] | [engineId: string, url: string]>;
  parleyCountPlaces: Script<[places: number, free: number]>;
}

/** A node with an engine. */
export interface EngineNode {
  readonly engineId: string;
  /** Internal address, without a trailing slash. */
  readonly url: string;
}

/** A place of an engine that waits for one session. */
export interface Reservation extends EngineNode {
  readonly id: string;
  /** Grows whenever the engine begins anew: a reservation of its last life is void. */
  readonly fence: string;
}

/** Chooses engines for sessions, and finds those that have them. Every node does it: what is known is in Redis. */
export class Placement {
  readonly #redis: Redis & Scripts;
  readonly #log: Logger;

  constructor(redis: Redis, log: Logger) {
    redis.defineCommand('parleyReservePlace', { lua: RESERVE });
    redis.defineCommand('parleyDropReservation', { lua: DROP_RESERVATION });
    redis.defineCommand('parleyFindOwner', { lua: FIND_OWNER });
    redis.defineCommand('parleyFindEngine', { lua: FIND_ENGINE });
    redis.defineCommand('parleyAnyEngine', { lua: ANY_ENGINE });
    redis.defineCommand('parleyCountPlaces', { lua: COUNT_PLACES });
    this.#redis = redis as Redis & Scripts;
    this.#log = log;
  }

  /**
   * Keeps a place on the least loaded engine for `RESERVATION_MS`.
   * @throws HttpError 429 when all are full, 503 when there is no engine, or Redis does not answer.
   */
  async reserve({ region, policy }: PlaceWish, unwanted: readonly string[] = []): Promise<Reservation> {
    const id = randomUUID();
    const answer = await this.#answered(
      this.#redis.parleyReservePlace(1, KEY_PREFIX, id, RESERVATION_MS, region ?? '', policy, ...unwanted),
    );
    if (answer.length === 3) return { id, engineId: answer[0], fence: answer[1], url: answer[2] };
    if (answer[0] === 'full') throw new HttpError(sessionErrors.concurrentSessions);
    throw policy === 'strict' ? noEngineIn(region) : new HttpError(sessionErrors.noEngines);
  }

  /** The place is not needed. Never rejects: it is free by itself soon. */
  async drop({ id, engineId }: Pick<Reservation, 'id' | 'engineId'>): Promise<void> {
    await this.#redis.parleyDropReservation(1, KEY_PREFIX, engineId, id).catch(() => 0);
  }

  /** @returns the node that has the session; null: none that lives. @throws HttpError 503 without Redis. */
  async ownerOf(sessionId: string): Promise<EngineNode | null> {
    return nodeOf(await this.#answered(this.#redis.parleyFindOwner(1, KEY_PREFIX, sessionId)));
  }

  /** @returns null when that engine does not live. @throws HttpError 503 without Redis. */
  async engine(engineId: string): Promise<EngineNode | null> {
    return nodeOf(await this.#answered(this.#redis.parleyFindEngine(1, KEY_PREFIX, engineId)));
  }

  /** @returns a node with an engine, the least loaded first; null: none lives. @throws HttpError 503 without Redis. */
  async anyEngine(): Promise<EngineNode | null> {
    return nodeOf(await this.#answered(this.#redis.parleyAnyEngine(1, KEY_PREFIX)));
  }

  /** Of all engines that take sessions. @throws HttpError 503 without Redis. */
  async count(): Promise<{ readonly places: number; readonly free: number }> {
    const [places, free] = await this.#answered(this.#redis.parleyCountPlaces(1, KEY_PREFIX));
    return { places, free };
  }

  async #answered<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      this.#log.error({ err: error }, 'the engines are not known, because Redis does not answer');
      throw new HttpError(sessionErrors.noEngines, { message: 'Engines cannot be asked at present; try again soon.' });
    }
  }
}

function nodeOf([engineId, url]: readonly [] | readonly [string, string]): EngineNode | null {
  return engineId === undefined || url === undefined ? null : { engineId, url };
}
