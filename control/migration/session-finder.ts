import type { Timers } from '../../runtime/clock.ts';
import type { EngineNode, EngineRegistry } from '../placement/engine-registry.ts';
import type { MovesInRedis } from './moves-in-redis.ts';

export interface SessionFinderOptions {
  readonly registry: Pick<EngineRegistry, 'ownerOf'>;
  /** Null: sessions never move. */
  readonly moves: Pick<MovesInRedis, 'locate'> | null;
  /** Null: this node has no engine. */
  readonly engineId: string | null;
  readonly isHere: (sessionId: string) => boolean;
  /** See `Takeovers`. */
  readonly arrival: (sessionId: string) => Promise<void> | null;
  readonly timers: Timers;
}

export type Found =
  | 'here'
  | 'nowhere'
  /** It is still on its way to another engine. */
  | 'moving'
  | { readonly elsewhere: EngineNode };

/** A session that moves is looked for so often, ms. */
const ASK_EVERY_MS = 20;

/** Finds out who has a session, and waits for sessions that are on their way from one engine to another. */
export class SessionFinder {
  readonly #options: SessionFinderOptions;

  constructor(options: SessionFinderOptions) {
    this.#options = options;
  }

  /** @param untilWhen how long it may wait, on the clock of `timers`. Rejects when the engines are not known. */
  async find(sessionId: string, untilWhen: number): Promise<Found> {
    const { arrival, isHere, timers } = this.#options;
    for (;;) {
      await arrival(sessionId);
      if (isHere(sessionId)) return 'here';
      const found = await this.#look(sessionId);
      // It is being taken here: the next round waits for it.
      if (found !== 'moving' && !(found === 'nowhere' && arrival(sessionId) !== null)) return found;
      if (timers.now() >= untilWhen) return 'moving';
      await this.pause(ASK_EVERY_MS);
    }
  }

  /** Waits a moment, ms. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.timers.setTimeout(() => resolve(), ms));
  }

  async #look(sessionId: string): Promise<Found> {
    const { registry, moves, engineId } = this.#options;
    const elsewhere = (node: EngineNode | null): Found =>
      node === null || node.engineId === engineId ? 'nowhere' : { elsewhere: node };
    if (moves === null) return elsewhere(await registry.ownerOf(sessionId));
    const where = await moves.locate(sessionId);
    return where.kind === 'live' ? elsewhere(where.node) : where.kind;
  }
}
