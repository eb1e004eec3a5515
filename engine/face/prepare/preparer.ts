import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import { inThread } from '../../../runtime/in-thread.ts';
import type { Requests } from '../../../runtime/requests.ts';
import type { Launch } from '../../../runtime/link.ts';
import { SupervisedWorker } from '../../../runtime/supervised-worker.ts';
import { WorkerError } from '../../../runtime/worker-error.ts';
import type { Logger } from '../../../runtime/log.ts';
import { openForMapping } from '../rendering/mapped-file.ts';
import type { PreparedMemory } from '../rendering/prepared-memory.ts';
import type { FromPrepareWorker, ToPrepareWorker } from '../worker/protocol.ts';
import type { LoopLook } from './idle-loop.ts';
import type { LoopName, PackedLoop } from './loop-files.ts';
import { moreUrgent } from './urgency.ts';
import type { Need } from './urgency.ts';

/**
 * The main thread's interface to the preparing worker. A worker that dies is started again with its unfinished work.
 */
export interface Preparer {
  prepare(engineKey: string, width: number, height: number, need: Need): Preparation;
  poster(engineKey: string, width: number, height: number): Promise<Buffer>;
  /** @returns the avatars that would have to be drawn. */
  undrawn(engineKeys: readonly string[], width: number, height: number): Promise<readonly string[]>;
  /** Requests the loops of a look. Each loop is passed on when it is ready. */
  loops(key: string, look: LoopLook): void;
  dropLoops(key: string): void;
  close(): Promise<void>;
  /** Ends the worker, as if it had died. */
  killForTesting(): void;
}

/** An avatar that is being prepared. Both promises are of the same memory, which may be an
 * `OpenedFile` that the caller closes, and fail if there is no such avatar. */
export interface Preparation {
  /** The avatar can be shown: its neutral face is drawn, and the rest appears in place. */
  readonly begun: Promise<PreparedMemory>;
  /** Nothing is missing. */
  readonly whole: Promise<PreparedMemory>;
  /** One more caller wants it. */
  wantedBy(need: Need): void;
}

type Answer = PreparedMemory | Uint8Array | readonly string[];

/** Longer than any single synchronous call in the worker. */
const STOP_WITHIN_MS = 2_000;

/**
 * A worker that has work and finishes no step of it for so long hangs, and is ended. A step takes some milliseconds, and
 * a second at most. On a busy machine the thread has low priority, so this is generous.
 */
export const STEP_LIMIT_MS = 60_000;

/** An avatar during which so many workers ended is given up. Otherwise one that always hangs would delay all others. */
const MAX_TRIES = 3;

/** Used after a worker that died repeatedly: the next requested avatar may be another one. */
const RETRY_AFTER_MS = 30_000;

export interface PreparerOptions {
  readonly cacheDir: string;
  readonly photosDir?: string | null;
  readonly log: Logger;
  readonly onLoop: (key: string, name: LoopName, loop: PackedLoop) => void;
  /** Has what an avatar is drawn from on this machine. @defaultValue it is there */
  readonly fetch?: (engineKey: string) => Promise<void>;
  /** @defaultValue a thread */
  readonly launch?: Launch<ToPrepareWorker, FromPrepareWorker>;
  readonly clock?: Timers;
}

export function createPreparer(options: PreparerOptions): Preparer {
  return new PrepareWorker(options);
}

class PrepareWorker implements Preparer {
  readonly #log: Logger;
  readonly #onLoop: PreparerOptions['onLoop'];
  readonly #fetch: (engineKey: string) => Promise<void>;
  readonly #wantedLoops = new Map<string, LoopLook>();
  readonly #worker: SupervisedWorker<ToPrepareWorker, FromPrepareWorker>;
  readonly #jobs: Requests<ToPrepareWorker, Answer, SharedArrayBuffer>;

  constructor(options: PreparerOptions) {
    this.#log = options.log;
    this.#onLoop = options.onLoop;
    this.#fetch = options.fetch ?? (async () => {});
    this.#worker = this.#supervised(options);
    this.#jobs = this.#worker.requests<Answer, SharedArrayBuffer>();
  }

  prepare(engineKey: string, width: number, height: number, need: Need): Preparation {
    const begun = Promise.withResolvers<PreparedMemory>();
    /** What the worker knows. The next worker is told it when this one dies. */
    let known = { need, begun: null as SharedArrayBuffer | null, job: null as number | null };
    const request = (job: number): ToPrepareWorker => {
      known = { ...known, job };
      return { type: 'prepare', job, engineKey, width, height, begun: known.begun, need: known.need };
    };
    const whole = this.#fetch(engineKey).then(() =>
      this.#run<PreparedMemory>(request, (prepared) => {
        known = { ...known, begun: prepared };
        begun.resolve(prepared);
      }),
    );
    whole.then(begun.resolve, begun.reject);
    // Not every caller looks at both.
    begun.promise.catch(() => {});
    const wantedBy = (other: Need): void => {
      const more = moreUrgent(known.need, other);
      if (more === known.need) return;
      known = { ...known, need: more };
      // A finished job is forgotten.
      if (known.job !== null) this.#postIfRunning({ type: 'need', job: known.job, need: more });
    };
    return { begun: begun.promise, whole, wantedBy };
  }

  async poster(engineKey: string, width: number, height: number): Promise<Buffer> {
    await this.#fetch(engineKey);
    return Buffer.from(await this.#run<Uint8Array>((job) => ({ type: 'poster', job, engineKey, width, height })));
  }

  undrawn(engineKeys: readonly string[], width: number, height: number): Promise<readonly string[]> {
    return this.#run((job) => ({ type: 'undrawn', job, engineKeys, width, height }));
  }

  loops(key: string, look: LoopLook): void {
    if (this.#wantedLoops.has(key)) return;
    this.#wantedLoops.set(key, look);
    this.#worker.post({ type: 'loops', look });
  }

  dropLoops(key: string): void {
    if (this.#wantedLoops.delete(key)) this.#postIfRunning({ type: 'drop-loops', key });
  }

  close(): Promise<void> {
    return this.#worker.stop();
  }

  killForTesting(): void {
    this.#worker.kill();
  }

  #supervised({
    clock = systemTimers,
    launch,
    cacheDir,
    photosDir = null,
  }: PreparerOptions): SupervisedWorker<ToPrepareWorker, FromPrepareWorker> {
    return new SupervisedWorker({
      name: 'The avatar preparing worker',
      start: 'on demand',
      clock,
      retryAfterMs: RETRY_AFTER_MS,
      stop: { message: { type: 'stop' }, withinMs: STOP_WITHIN_MS },
      launch:
        launch ??
        inThread(new URL('prepare-worker.ts', import.meta.url), {
          name: 'avatars',
          workerData: { cacheDir, photosDir },
        }),
      message: (message) => this.#receive(message),
      restarted: () => {
        for (const look of this.#wantedLoops.values()) this.#worker.post({ type: 'loops', look });
      },
      ended: ({ how }, after) => {
        if (after.next === 'stopped') return;
        this.#log.error({ error: how }, 'The avatar preparing worker failed');
        // If it cannot be started again, those that wait for an avatar are told. Loops are optional.
        if (after.next === 'restarts' && this.#wantedLoops.size > 0) void this.#worker.ready().catch(() => {});
      },
    });
  }

  #receive(message: FromPrepareWorker): void {
    switch (message.type) {
      case 'begun':
        return this.#jobs.item(message.job, message.prepared);
      case 'prepared':
        return this.#prepared(message);
      case 'poster':
        return this.#jobs.resolve(message.job, message.jpeg);
      case 'undrawn':
        return this.#jobs.resolve(message.job, message.engineKeys);
      case 'stepped':
        return this.#jobs.workerIsAlive();
      case 'job-failed':
        return this.#jobs.reject(message.job, new Error(message.message));
      case 'loop':
        return this.#onLoop(message.key, message.name, message.loop);
      case 'loops-failed':
        this.#wantedLoops.delete(message.key);
        this.#log.warn({ reason: message.message }, 'Idle loops could not be made; idle faces are encoded live');
    }
  }

  #prepared({ job, prepared, tookMs }: Extract<FromPrepareWorker, { type: 'prepared' }>): void {
    const fromCache = typeof prepared === 'string';
    this.#log.info({ fromCache, tookMs: Math.round(tookMs) }, 'Avatar prepared');
    if (!fromCache) return this.#jobs.resolve(job, prepared);
    try {
      this.#jobs.resolve(job, openForMapping(prepared));
    } catch {
      // It has gone a moment after it was looked at.
      this.#jobs.reject(job, new Error('The file of the avatar has gone.'));
    }
  }

  /** Asks again when the worker ended. */
  async #run<T extends Answer>(
    request: (job: number) => ToPrepareWorker,
    begun?: (prepared: SharedArrayBuffer) => void,
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#worker.ready();
        return (await this.#jobs.ask(request, { item: begun, silenceMs: STEP_LIMIT_MS })) as T;
      } catch (error) {
        if (!(error instanceof WorkerError)) throw error;
        if (error.reason === 'stopped') throw new Error('The face engine is closed.', { cause: error });
        if (error.reason === 'gave up' || tries === MAX_TRIES)
          throw new Error('Avatars cannot be prepared: the preparing worker keeps failing.', { cause: error });
      }
    }
  }

  #postIfRunning(message: ToPrepareWorker): void {
    if (this.#worker.running) this.#worker.post(message);
  }
}
