import { randomUUID } from 'node:crypto';
import type { Logger } from '../../runtime/log.ts';
import { HttpError } from '../errors/http-error.ts';
import { noEngineIn, type PlacementRequest } from './engine-places.ts';
import { sessionErrors } from '../errors/session-errors.ts';
import type { ChosenEngine, EngineNode, EngineRegistry } from './engine-registry.ts';

/** A place of an engine that waits for one session. A reservation of an engine's last life is void. */
export interface Reservation extends ChosenEngine {
  readonly id: string;
}

/** Chooses engines for sessions, and finds those that have them. Every node does it: the registry knows all engines. */
export class Placement {
  readonly #registry: EngineRegistry;
  readonly #log: Logger;

  constructor(registry: EngineRegistry, log: Logger) {
    this.#registry = registry;
    this.#log = log;
  }

  /**
   * Keeps a place on the least loaded engine for `RESERVATION_MS`.
   * @throws HttpError 429 when all are full or busy, 503 when there is no engine, or the registry does not answer.
   */
  async reserve(wish: PlacementRequest, unwanted: readonly string[] = []): Promise<Reservation> {
    const id = randomUUID();
    const chosen = await this.#answered(this.#registry.reserve(id, wish, unwanted));
    if (typeof chosen !== 'string') return { id, ...chosen };
    if (chosen === 'busy') throw new HttpError(sessionErrors.machineBusy);
    if (chosen === 'full') throw new HttpError(sessionErrors.concurrentSessions);
    throw wish.policy === 'strict' ? noEngineIn(wish.region) : new HttpError(sessionErrors.noEngines);
  }

  /** The place is not needed. Never rejects: it is free by itself soon. */
  async drop({ id, engineId }: Pick<Reservation, 'id' | 'engineId'>): Promise<void> {
    await this.#registry.drop(engineId, id).catch(() => {});
  }

  /** @returns the node that has the session; null: none that lives. @throws HttpError 503 without an answer. */
  async ownerOf(sessionId: string): Promise<EngineNode | null> {
    return this.#answered(this.#registry.ownerOf(sessionId));
  }

  /** @returns null when that engine does not live. @throws HttpError 503 without an answer. */
  async engine(engineId: string): Promise<EngineNode | null> {
    return this.#answered(this.#registry.engine(engineId));
  }

  /** @returns a node with an engine, the least loaded first; null: none lives. @throws HttpError 503 without an answer. */
  async anyEngine(): Promise<EngineNode | null> {
    return this.#answered(this.#registry.anyEngine());
  }

  /** Of all engines that take sessions. @throws HttpError 503 without an answer. */
  async count(): Promise<{ readonly places: number; readonly free: number }> {
    return this.#answered(this.#registry.count());
  }

  async #answered<T>(asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      this.#log.error({ err: error }, 'the engines are not known, because their registry does not answer');
      throw new HttpError(sessionErrors.noEngines, { message: 'Engines cannot be asked at present; try again soon.' });
    }
  }
}
