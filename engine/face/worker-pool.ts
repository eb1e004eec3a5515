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

export function createWorkerPool(options: { workers: number; log: Logger; lipSyncModel?: string | null }): WorkerPool {
  const { log } = options;
  const pool: LiveWorker[] = [];
  const streams = new Map<number, { readonly stream: PooledStream; readonly codec: VideoCodec; home: LiveWorker }>();
  const remembered = new Map<string, ToLiveWorker>();
  /** For all workers and streams. When it is spent, streams are given up instead of moved. */
  const budget = new RestartBudget();
  let nextStream = 1;
  let closing = false;

  function start(): LiveWorker {
    const worker = new SupervisedWorker<ToLiveWorker, FromLiveWorker>({
      name: 'A video worker',
      // Its streams move to other workers at once. A new worker is started when they need it.
      start: 'never again',
      stop: { message: { type: 'stop' }, withinMs: STOP_WITHIN_MS },
      launch: inThread(new URL('worker/live-worker.ts', import.meta.url), {
        name: 'video',
        workerData: { lipSyncModel: options.lipSyncModel ?? null },
      }),
      message: (message) => receive(live, message),
      ended: ({ how }) => gone(live, how),
    });
    const live: LiveWorker = { worker, streams: new Set(), stats: null };
    pool.push(live);
    for (const message of remembered.values()) worker.post(message);
    return live;
  }

  function leastBusy(): LiveWorker {
    if (pool.length < options.workers && pool.every((live) => live.streams.size > 0)) return start();
    return pool.reduce((best, live) => (live.streams.size < best.streams.size ? live : best));
  }

  function receive(live: LiveWorker, message: FromLiveWorker): void {
    if (message.type === 'stats') {
      live.stats = message.stats;
      return;
    }
    if (message.type === 'lip-sync-failed')
      return log.error({ reason: message.message }, 'The lip-sync model cannot be used; mouths are drawn instead');
    if (message.type === 'failed') return streamFailed(message.stream, message.message);
    for (const frame of message.frames) {
      const entry = streams.get(frame.stream);
      if (entry === undefined) continue;
      const data = new Uint8Array(message.data, frame.start, frame.end - frame.start);
      guarded(() => entry.stream.handlers.frame({ data, keyframe: frame.keyframe, at: frame.at }));
    }
  }

  function streamFailed(id: number, message: string): void {
    const entry = streams.get(id);
    if (entry === undefined) return;
    log.error({ reason: message }, 'A face stream failed');
    remove(id);
    if (mayRevive()) entry.stream.revive();
    else guarded(() => entry.stream.handlers.failed(message));
  }

  function gone(live: LiveWorker, how: string): void {
    const at = pool.indexOf(live);
    if (at >= 0) pool.splice(at, 1);
    if (closing) return;
    const lost = [...live.streams];
    const revive = mayRevive();
    log.error(
      { streams: lost.length, error: how },
      `A video worker is gone; its faces ${revive ? 'move to another one' : 'are given up'}`,
    );
    for (const id of lost) {
      const entry = streams.get(id);
      remove(id);
      if (entry === undefined) continue;
      if (revive) entry.stream.revive();
      else guarded(() => entry.stream.handlers.failed('The video worker was lost.'));
    }
  }

  function mayRevive(): boolean {
    return !closing && budget.died(engineNow()) !== null;
  }

  /** Foreign code must not break the pool. */
  function guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ error: error instanceof Error ? error.message : String(error) }, 'A face handler threw');
    }
  }

  function remove(id: number): void {
    const entry = streams.get(id);
    entry?.home.streams.delete(id);
    streams.delete(id);
  }

  return {
    open(stream, codec) {
      const home = leastBusy();
      const id = nextStream++;
      home.streams.add(id);
      streams.set(id, { stream, codec, home });
      home.worker.post({ type: 'open', stream: id, look: stream.look, codec } satisfies ToLiveWorker);
      return id;
    },
    send(id, message) {
      streams.get(id)?.home.worker.post(message);
    },
    close(id) {
      const entry = streams.get(id);
      remove(id);
      entry?.home.worker.post({ type: 'close', stream: id } satisfies ToLiveWorker);
    },
    warm() {
      if (!closing && pool.length === 0) start();
    },
    stats: () => pool.flatMap((live) => live.stats ?? []),
    // A worker that shows nobody any more tells nothing new.
    framesLateMs: () =>
      Math.max(0, ...pool.map(({ streams, stats }) => (streams.size > 0 ? (stats?.latelyP99Ms ?? 0) : 0))),
    remember(key, message) {
      remembered.set(key, message);
      for (const live of pool) live.worker.post(message);
    },
    forget(key, message) {
      remembered.delete(key);
      if (message !== null) for (const live of pool) live.worker.post(message);
    },
    killForTesting: () => pool[0]?.worker.kill(),
    async shutdown() {
      closing = true;
      streams.clear();
      await Promise.all(pool.map(({ worker }) => worker.stop()));
    },
  };
}
