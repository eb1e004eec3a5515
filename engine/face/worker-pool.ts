import { inThread } from '../../runtime/in-thread.ts';
import { RestartBudget } from '../../runtime/restart-budget.ts';
import { SupervisedWorker } from '../../runtime/supervised-worker.ts';
import { engineNow } from '../../runtime/clock.ts';
import type { VideoCodec } from './encode/video-encoder.ts';
import type { Logger } from '../../runtime/log.ts';
import type { PooledStream, StreamHost } from './face-stream.ts';
import type { FromLiveWorker, ToLiveWorker, WorkerStats } from './worker/protocol.ts';

/** The video workers. Streams are spread over them, and moved when one of them dies. */
export interface WorkerPool extends StreamHost {
  stats(): readonly WorkerStats[];
  /** How late the video frames of sessions were in the last second or so, p99, ms. 0 when nobody is shown. */
  framesLateMs(): number;
  /** Starts the first worker before a stream needs it: this takes some tenths of a second. */
  warm(): void;
  /** Sends a message to every worker, also to those that start later, until it is withdrawn. */
  remember(key: string, message: ToLiveWorker): void;
  forget(key: string, message: ToLiveWorker | null): void;
  shutdown(): Promise<void>;
  /** Ends the first of them, as if it had died. */
  killForTesting(): void;
}

interface LiveWorker {
  readonly worker: SupervisedWorker<ToLiveWorker, FromLiveWorker>;
  readonly streams: Set<number>;
  stats: WorkerStats | null;
}

/** Longer than any single synchronous call in a worker. */
const STOP_WITHIN_MS = 2_000;

export interface WorkerPoolOptions {
  readonly workers: number;
  readonly log: Logger;
  readonly lipSyncModel?: string | null;
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new VideoWorkerPool(options);
}

interface OpenStream {
  readonly stream: PooledStream;
  readonly home: LiveWorker;
}

class VideoWorkerPool implements WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #pool: LiveWorker[] = [];
  readonly #streams = new Map<number, OpenStream>();
  readonly #remembered = new Map<string, ToLiveWorker>();
  /** For all workers and streams. When it is spent, streams are given up instead of moved. */
  readonly #budget = new RestartBudget();
  #nextStream = 1;
  #stage: 'open' | 'closing' = 'open';

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  open(stream: PooledStream, codec: VideoCodec): number {
    const home = this.#leastBusy();
    const id = this.#nextStream++;
    home.streams.add(id);
    this.#streams.set(id, { stream, home });
    home.worker.post({ type: 'open', stream: id, look: stream.look, codec } satisfies ToLiveWorker);
    return id;
  }

  send(id: number, message: ToLiveWorker): void {
    this.#streams.get(id)?.home.worker.post(message);
  }

  close(id: number): void {
    const entry = this.#streams.get(id);
    this.#remove(id);
    entry?.home.worker.post({ type: 'close', stream: id } satisfies ToLiveWorker);
  }

  warm(): void {
    if (this.#stage === 'open' && this.#pool.length === 0) this.#start();
  }

  stats(): readonly WorkerStats[] {
    return this.#pool.flatMap((live) => live.stats ?? []);
  }

  framesLateMs(): number {
    // A worker that shows nobody any more tells nothing new.
    const shown = this.#pool.filter(({ streams }) => streams.size > 0);
    return Math.max(0, ...shown.map(({ stats }) => stats?.latelyP99Ms ?? 0));
  }

  remember(key: string, message: ToLiveWorker): void {
    this.#remembered.set(key, message);
    for (const live of this.#pool) live.worker.post(message);
  }

  forget(key: string, message: ToLiveWorker | null): void {
    this.#remembered.delete(key);
    if (message !== null) for (const live of this.#pool) live.worker.post(message);
  }

  killForTesting(): void {
    this.#pool[0]?.worker.kill();
  }

  async shutdown(): Promise<void> {
    this.#stage = 'closing';
    this.#streams.clear();
    await Promise.all(this.#pool.map(({ worker }) => worker.stop()));
  }

  #start(): LiveWorker {
    const worker = new SupervisedWorker<ToLiveWorker, FromLiveWorker>({
      name: 'A video worker',
      // Its streams move to other workers at once. A new worker is started when they need it.
      start: 'never again',
      stop: { message: { type: 'stop' }, withinMs: STOP_WITHIN_MS },
      launch: inThread(new URL('worker/live-worker.ts', import.meta.url), {
        name: 'video',
        workerData: { lipSyncModel: this.#options.lipSyncModel ?? null },
      }),
      message: (message) => this.#receive(live, message),
      ended: ({ how }) => this.#gone(live, how),
    });
    const live: LiveWorker = { worker, streams: new Set(), stats: null };
    this.#pool.push(live);
    for (const message of this.#remembered.values()) worker.post(message);
    return live;
  }

  #leastBusy(): LiveWorker {
    const isFull = this.#pool.length >= this.#options.workers;
    if (!isFull && this.#pool.every((live) => live.streams.size > 0)) return this.#start();
    return this.#pool.reduce((best, live) => (live.streams.size < best.streams.size ? live : best));
  }

  #receive(live: LiveWorker, message: FromLiveWorker): void {
    switch (message.type) {
      case 'stats':
        live.stats = message.stats;
        return;
      case 'lip-sync-failed':
        this.#options.log.error(
          { reason: message.message },
          'The lip-sync model cannot be used; mouths are drawn instead',
        );
        return;
      case 'failed':
        return this.#streamFailed(message.stream, message.message);
      default:
        return this.#frames(message);
    }
  }

  #frames({ data, frames }: Extract<FromLiveWorker, { frames: unknown }>): void {
    for (const { stream, start, end, keyframe, at } of frames) {
      const handlers = this.#streams.get(stream)?.stream.handlers;
      if (handlers === undefined) continue;
      this.#guarded(() => handlers.frame({ data: new Uint8Array(data, start, end - start), keyframe, at }));
    }
  }

  #streamFailed(id: number, message: string): void {
    const entry = this.#streams.get(id);
    if (entry === undefined) return;
    this.#options.log.error({ reason: message }, 'A face stream failed');
    this.#remove(id);
    this.#moveOrGiveUp(entry, this.#mayRevive(), message);
  }

  #gone(live: LiveWorker, how: string): void {
    const at = this.#pool.indexOf(live);
    if (at >= 0) this.#pool.splice(at, 1);
    if (this.#stage === 'closing') return;
    const lost = [...live.streams];
    const revive = this.#mayRevive();
    this.#options.log.error(
      { streams: lost.length, error: how },
      `A video worker is gone; its faces ${revive ? 'move to another one' : 'are given up'}`,
    );
    for (const id of lost) {
      const entry = this.#streams.get(id);
      this.#remove(id);
      if (entry !== undefined) this.#moveOrGiveUp(entry, revive, 'The video worker was lost.');
    }
  }

  #moveOrGiveUp({ stream }: OpenStream, revive: boolean, reason: string): void {
    if (revive) stream.revive();
    else this.#guarded(() => stream.handlers.failed(reason));
  }

  #mayRevive(): boolean {
    return this.#stage === 'open' && this.#budget.died(engineNow()) !== null;
  }

  /** Foreign code must not break the pool. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#options.log.error({ error: message }, 'A face handler threw');
    }
  }

  #remove(id: number): void {
    this.#streams.get(id)?.home.streams.delete(id);
    this.#streams.delete(id);
  }
}
