import { randomUUID } from 'node:crypto';
import type { Logger, RestorableSession } from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { EngineRegistryInMemory } from '../engine-registry-in-memory.ts';

/** A client holds its session for so long after the death, ms: one that has no engine by then is lost. */
const GIVE_UP_MS = 30_000;
/** Until it is tried again, ms, when no engine has a place: the one that died starts again within seconds. */
const AGAIN_MS = 250;
/** For each process that they can go to: a replay takes a part of a second of one thread, on which other sessions live. */
const AT_A_TIME = 2;

export interface MovedSessionsOptions {
  readonly registry: EngineRegistryInMemory;
  /** Processes that can take them, besides the one that died; at least one: it starts again. */
  readonly siblings: number;
  /** Rejects when that process cannot go on with the session. */
  readonly takeOver: (engineId: string, past: RestorableSession) => Promise<void>;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Sessions whose process died go on in another one, or in its next life. */
export class MovedSessions {
  readonly #options: MovedSessionsOptions;

  constructor(options: MovedSessionsOptions) {
    this.#options = options;
  }

  /** @returns the sessions that are lost. Never rejects. */
  async move(pasts: readonly RestorableSession[]): Promise<readonly string[]> {
    const { registry, siblings } = this.#options;
    const diedAt = this.#options.timers.now();
    const lost: string[] = [];
    const waiting = [...pasts];
    const arrivals = new Map(pasts.map(({ sessionId }) => [sessionId, registry.expect(sessionId)]));
    const next = async (): Promise<void> => {
      for (let past = waiting.shift(); past !== undefined; past = waiting.shift()) {
        if (!(await this.#moveOne(past, diedAt))) lost.push(past.sessionId);
        arrivals.get(past.sessionId)?.();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME * siblings }, next));
    return lost;
  }

  async #moveOne(past: RestorableSession, diedAt: number): Promise<boolean> {
    const { registry, takeOver, timers, log } = this.#options;
    const { sessionId } = past;
    const unable: string[] = [];
    while (timers.now() - diedAt < GIVE_UP_MS) {
      const id = randomUUID();
      const chosen = await registry.reserveForMove(id, unable);
      if (typeof chosen === 'string') {
        await new Promise<void>((resolve) => timers.setTimeout(() => resolve(), AGAIN_MS));
        continue;
      }
      try {
        const ageMs = past.ageMs === null ? null : past.ageMs + (timers.now() - diedAt);
        await takeOver(chosen.engineId, { ...past, ageMs });
        return true;
      } catch (error) {
        log.warn({ sessionId, engineId: chosen.engineId, err: error }, 'a session could not go on in this process');
        unable.push(chosen.engineId);
        if (unable.length > 1) return false;
      } finally {
        await registry.drop(chosen.engineId, id);
      }
    }
    return false;
  }
}
