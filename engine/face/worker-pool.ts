import { Worker } from 'node:worker_threads';
import { engineNow } from '../clock.ts';
import type { VideoCodec } from './encode/video-encoder.ts';
import type { Logger } from '../log.ts';
import type { PooledStream, StreamHost } from './face-stream.ts';
import { stopWorker } from './prepare/preparer.ts';
import type { FromLiveWorker, ToLiveWorker, WorkerStats } from './worker/protocol.ts';

/** The video workers: streams are spread over them, and moved when one of them dies. */
export interface WorkerPool extends StreamHost {
  stats(): readonly WorkerStats[];
  /** Says something to every worker, now and in the future, until it is taken back. */
  remember(key: string, message: ToLiveWorker): void;
  forget(key: string, message: ToLiveWorker | null): void;
  shutdown(): Promise<void>;
  readonly workersForTesting: readonly Worker[];
}

interface LiveWorker {
  readonly worker: Worker;
  readonly streams: Set<number>;
  stats: WorkerStats | null;
}

/** More deaths than this within a minute are not an accident: streams are then given up instead of moved. */
const MOST_DEATHS = 5;
const DEATHS_WITHIN_MS = 60_000;

export function createWorkerPool(options: { workers: number; log: Logger; lipSyncModel?: string | null }): WorkerPool {
  const { log } = options;
  const pool: LiveWorker[] = [];
  const streams = new Map<number, { readonly stream: PooledStream; readonly codec: VideoCodec; home: LiveWorker }>();
  const remembered = new Map<string, ToLiveWorker>();
  let deaths: number[] = [];
  let nextStream = 1;
  let closing = false;

  function start(): LiveWorker {
    const worker = new Worker(new URL('worker/live-worker.ts', import.meta.url), {
      name: 'video',
      workerData: { lipSyncModel: options.lipSyncModel ?? null },
    });
    const live: LiveWorker = { worker, streams: new Set(), stats: null };
    worker.on('message', (message) => receive(live, message));
    worker.on('error', (error: Error) => log.error({ error: error.message }, 'A video worker failed'));
    worker.on('exit', () => gone(live));
    pool.push(live);
    for (const message of remembered.values()) worker.postMessage(message);
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

  function gone(live: LiveWorker): void {
    const at = pool.indexOf(live);
    if (at >= 0) pool.splice(at, 1);
    if (closing) return;
    const lost = [...live.streams];
    const revive = mayRevive();
    log.error(
      { streams: lost.length },
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
    const now = engineNow();
    deaths = [...deaths.filter((at) => at > now - DEATHS_WITHIN_MS), now];
    return !closing && deaths.length <= MOST_DEATHS;
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
      home.worker.postMessage({ type: 'open', stream: id, look: stream.look, codec } satisfies ToLiveWorker);
      return id;
    },
    send(id, message) {
      streams.get(id)?.home.worker.postMessage(message);
    },
    close(id) {
      const entry = streams.get(id);
      remove(id);
      entry?.home.worker.postMessage({ type: 'close', stream: id } satisfies ToLiveWorker);
    },
    stats: () => pool.flatMap((live) => live.stats ?? []),
    remember(key, message) {
      remembered.set(key, message);
      for (const live of pool) live.worker.postMessage(message);
    },
    forget(key, message) {
      remembered.delete(key);
      if (message !== null) for (const live of pool) live.worker.postMessage(message);
    },
    get workersForTesting() {
      return pool.map((live) => live.worker);
    },
    async shutdown() {
      closing = true;
      streams.clear();
      await Promise.all(pool.map((live) => stopWorker(live.worker)));
    },
  };
}
