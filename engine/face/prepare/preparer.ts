import { Worker } from 'node:worker_threads';
import type { Logger } from '../../log.ts';
import type { FromPrepareWorker, ToPrepareWorker } from '../worker/protocol.ts';
import type { LoopLook } from './idle-loop.ts';

/** The main thread's handle on the preparing worker. A worker that dies is started again with what it still owes. */
export interface Preparer {
  /** @throws RangeError-like Error when there is no such avatar. */
  prepare(engineKey: string, width: number, height: number): Promise<SharedArrayBuffer>;
  poster(engineKey: string, width: number, height: number): Promise<Buffer>;
  /** Wants the loops of a look; each one is handed over when it is there. */
  loops(key: string, look: LoopLook): void;
  dropLoops(key: string): void;
  close(): Promise<void>;
}

interface Job {
  readonly request: ToPrepareWorker;
  resolve(result: never): void;
  reject(error: Error): void;
}

/** A worker that dies this often is not started again: something is wrong with the installation. */
const MOST_STARTS = 5;

export function createPreparer(options: {
  cacheDir: string;
  photosDir?: string | null;
  log: Logger;
  onLoop: (key: string, loop: SharedArrayBuffer) => void;
  onProgress?: (engineKey: string, share: number) => void;
}): Preparer {
  const { log } = options;
  const jobs = new Map<number, Job>();
  const wantedLoops = new Map<string, LoopLook>();
  let nextJob = 1;
  let starts = 0;
  let closing = false;
  let worker: Worker | null = null;

  function start(): Worker {
    starts++;
    const started = new Worker(new URL('prepare-worker.ts', import.meta.url), {
      name: 'avatars',
      workerData: { cacheDir: options.cacheDir, photosDir: options.photosDir ?? null },
    });
    started.on('message', receive);
    started.on('error', (error: Error) => log.error({ error: error.message }, 'The avatar preparing worker failed'));
    started.on('exit', () => gone(started));
    return started;
  }

  function gone(which: Worker): void {
    if (worker !== which) return;
    worker = null;
    if (closing) return;
    if (starts >= MOST_STARTS) {
      for (const job of jobs.values())
        job.reject(new Error('Avatars cannot be prepared: the preparing worker keeps failing.'));
      jobs.clear();
      return;
    }
    if (jobs.size === 0 && wantedLoops.size === 0) return;
    for (const job of jobs.values()) send(job.request);
    for (const look of wantedLoops.values()) send({ type: 'loops', look });
  }

  function send(message: ToPrepareWorker): void {
    worker ??= start();
    worker.postMessage(message);
  }

  function receive(message: FromPrepareWorker): void {
    switch (message.type) {
      case 'progress':
        return reportProgress(message.job, message.share);
      case 'prepared':
        log.info({ fromCache: message.fromCache, tookMs: Math.round(message.tookMs) }, 'Avatar prepared');
        return settle(message.job, (job) => job.resolve(message.prepared as never));
      case 'poster':
        return settle(message.job, (job) => job.resolve(Buffer.from(message.jpeg) as never));
      case 'job-failed':
        return settle(message.job, (job) => job.reject(new Error(message.message)));
      case 'loop':
        return options.onLoop(message.key, message.loop);
      case 'loops-failed':
        wantedLoops.delete(message.key);
        log.warn({ reason: message.message }, 'Idle loops could not be made; idle faces are encoded live');
    }
  }

  function reportProgress(id: number, share: number): void {
    const request = jobs.get(id)?.request;
    if (request?.type === 'prepare') options.onProgress?.(request.engineKey, share);
  }

  function settle(id: number, how: (job: Job) => void): void {
    const job = jobs.get(id);
    jobs.delete(id);
    if (job !== undefined) how(job);
  }

  function run<T>(request: (job: number) => ToPrepareWorker): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (closing) return reject(new Error('The face engine is closed.'));
      const id = nextJob++;
      const job: Job = { request: request(id), resolve: resolve as (result: never) => void, reject };
      jobs.set(id, job);
      send(job.request);
    });
  }

  return {
    prepare: (engineKey, width, height) => run((job) => ({ type: 'prepare', job, engineKey, width, height })),
    poster: (engineKey, width, height) => run((job) => ({ type: 'poster', job, engineKey, width, height })),
    loops(key, look) {
      if (wantedLoops.has(key)) return;
      wantedLoops.set(key, look);
      send({ type: 'loops', look });
    },
    dropLoops(key) {
      if (!wantedLoops.delete(key)) return;
      worker?.postMessage({ type: 'drop-loops', key } satisfies ToPrepareWorker);
    },
    async close() {
      closing = true;
      for (const job of jobs.values()) job.reject(new Error('The face engine is closed.'));
      jobs.clear();
      await stopWorker(worker);
    },
  };
}

/** Longer than any single synchronous call in a worker. */
const STOP_WITHIN_MS = 2000;

/** Asks a worker to end by itself; ends it when it does not. */
export async function stopWorker(worker: Worker | null): Promise<void> {
  if (worker === null) return;
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(() => void worker.terminate(), STOP_WITHIN_MS);
    worker.once('exit', () => {
      clearTimeout(deadline);
      resolve();
    });
    worker.postMessage({ type: 'stop' });
  });
}
