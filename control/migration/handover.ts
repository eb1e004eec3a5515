import type { Logger } from '../../runtime/log.ts';
import type { Engine } from '../../engine/ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { EngineNode } from '../placement/engine-registry.ts';
import type { Placement } from '../placement/placement.ts';

/**
 * Sessions that are handed over at the same time: each of them waits for its client most of the time, some 4 s, and a
 * stop has 7 s for all.
 */
const AT_ONCE = 64;
/** Places get free when sessions end: they are asked for again after so long, ms, and later less often. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** Engines that are asked for one session in one round. */
const SUCCESSORS = 3;

/** Where sessions may go: `cluster/cluster.ts`. */
interface Successors {
  readonly placement: Pick<Placement, 'count'>;
  movable(): readonly string[];
  canMove(sessionId: string): boolean;
  findSuccessor(
    sessionId: string,
    unwanted?: readonly string[],
  ): Promise<EngineNode | { readonly unable: string } | null>;
  offerSession(sessionId: string, successor: EngineNode): Promise<void>;
  hasMoved(sessionId: string): Promise<boolean>;
}

export interface HandoversOptions {
  readonly engine: Pick<Engine, 'handOver'>;
  readonly cluster: Successors;
  readonly timers: Timers;
  readonly log: Logger;
}

/** `in any case`: for engines that may come. `with others`: no longer than there is another engine. */
type Patience = 'in any case' | 'with others';

/**
 * Hands the sessions of this node to other engines. Those that find no place stay, and are tried again until `stop`.
 *
 * The other engine reads what has happened in a session before its client is sent away. So the client misses what its way
 * back takes, and no more.
 */
export class Handovers {
  readonly #options: HandoversOptions;
  #patience: Patience = 'with others';
  #running: Promise<number> | null = null;
  #wake: () => void = () => {};
  #state: 'open' | 'stopped' = 'open';

  constructor(options: HandoversOptions) {
    this.#options = options;
  }

  /** Resolves with the number of sessions that went, when none is left that can move, or there is no use. Never rejects. */
  run(patience: Patience): Promise<number> {
    this.#patience = patience;
    this.#wake();
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** What is still here stays. */
  stop(): void {
    this.#state = 'stopped';
    this.#wake();
  }

  async #run(): Promise<number> {
    const { cluster, log } = this.#options;
    let gone = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const went = await this.#round();
      gone += went;
      if (went > 0) {
        log.info({ sessions: went }, 'sessions were handed over to other engines');
        pause = FIRST_PAUSE_MS;
      }
      if (this.#state === 'stopped' || cluster.movable().length === 0) return gone;
      if (this.#patience === 'with others' && !(await this.#hasOthers())) return gone;
      await this.#pause(pause);
    }
  }

  /** Tries each session that is here once. @returns how many went. */
  async #round(): Promise<number> {
    const waiting = [...this.#options.cluster.movable()];
    let gone = 0;
    const next = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && this.#state === 'open'; id = waiting.shift())
        if (await this.#handOver(id)) gone += 1;
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, next));
    return gone;
  }

  async #handOver(sessionId: string): Promise<boolean> {
    const { engine, cluster, log } = this.#options;
    const unable: string[] = [];
    while (unable.length < SUCCESSORS && cluster.canMove(sessionId)) {
      const successor = await cluster.findSuccessor(sessionId, unable);
      if (successor === null) return false;
      if ('unable' in successor) {
        unable.push(successor.unable);
        continue;
      }
      if (this.#state === 'stopped' || !(await engine.handOver(sessionId))) return false;
      await cluster.offerSession(sessionId, successor);
      if (!(await cluster.hasMoved(sessionId)))
        log.warn({ sessionId }, 'a session was handed over, and nobody has it yet');
      return true;
    }
    return false;
  }

  async #hasOthers(): Promise<boolean> {
    const count = await this.#options.cluster.placement.count().catch(() => null);
    return count !== null && count.places > 0;
  }

  async #pause(ms: number): Promise<void> {
    const { timers } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = timers.setTimeout(() => resolve(), ms);
    await promise;
    timers.clearTimeout(timer);
  }
}
