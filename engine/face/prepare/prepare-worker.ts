import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createIllustratedSource } from '../avatars/illustrated-source.ts';
import { createPhotoSource } from '../photo/photo-source.ts';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { releaseMemoryWhenIdle, THREAD_MEMORY } from '../../../runtime/idle-memory.ts';
import { lowerThreadPriority } from '../../../runtime/thread-priority.ts';
import { drawnSize } from '../rendering/area.ts';
import { PatchRenderer } from '../rendering/patch-renderer.ts';
import { isWhole } from '../rendering/prepared-avatar.ts';
import { isWholeFile, mapPath } from '../rendering/mapped-file.ts';
import { unpackAvatar } from '../rendering/prepared-file.ts';
import type { FromPrepareWorker, ToPrepareWorker } from '../worker/protocol.ts';
import type { AvatarSource } from './avatar-source.ts';
import { createFileCache, type FileCache } from './cache-file.ts';
import { beginAvatar, finishAvatar } from './draw-avatar.ts';
import { encodeIdleLoop, loopKey, packLoop } from './idle-loop.ts';
import type { LoopLook } from './idle-loop.ts';
import { findOrEncode, LOOP_NAMES } from './loop-files.ts';
import type { LoopName } from './loop-files.ts';
import { drawingUrgency, LOOP_URGENCY, moreUrgent, POSTER_URGENCY } from './urgency.ts';
import type { Need } from './urgency.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Task } from './work-queue.ts';

/**
 * A thread that prepares avatars and encodes idle loops when it has nothing more urgent to do. As soon as a face is
 * shown, it runs at low priority: live frames come first, and sessions do without details and loops until they are
 * ready. Before that, it disturbs nobody, and the first caller waits a second less on a busy machine. (A thread may
 * only lower its priority.)
 */
const LOW_PRIORITY = 10;

type Message<T extends ToPrepareWorker['type']> = Extract<ToPrepareWorker, { type: T }>;

if (parentPort === null) throw new Error('prepare-worker.ts runs as a worker.');
const port = parentPort;
const post = (message: FromPrepareWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const { cacheDir, photosDir } = workerData as { cacheDir: string; photosDir: string | null };
const commonCache = createFileCache(cacheDir);
/** Each kind of avatar adds its source here. */
const sources: readonly AvatarSource[] = [
  createIllustratedSource(),
  ...(photosDir === null ? [] : [createPhotoSource(photosDir)]),
];
const queue = createWorkQueue(showProgress);
releaseMemoryWhenIdle(() => queue.idle, systemTimers, THREAD_MEMORY);
/** Who wants the avatars that are being prepared, by job. */
const needs = new Map<number, Need>();
/** What withdraws the search for the loops of a look, by its key. */
const loopWork = new Map<string, () => void>();
/** Another process needs some seconds of a core for a loop, 12 ms a frame. */
const LOOK_AGAIN_MS = 1_000;

/** A step takes some milliseconds. The main thread need not hear of each. */
const SHOW_PROGRESS_EVERY_MS = 1_000;
let shownAt = -Infinity;

function showProgress(): void {
  if (engineNow() < shownAt + SHOW_PROGRESS_EVERY_MS) return;
  shownAt = engineNow();
  post({ type: 'stepped' });
}

let priority: 'ordinary' | 'low' = 'ordinary';

function letSessionsGoFirst(): void {
  if (priority === 'low') return;
  priority = 'low';
  lowerThreadPriority(LOW_PRIORITY);
}

function sourceOf(engineKey: string): AvatarSource {
  const source = sources.find((candidate) => candidate.has(engineKey));
  if (source === undefined) throw new RangeError(`There is no avatar ${JSON.stringify(engineKey)}.`);
  return source;
}

function cacheOf(source: AvatarSource, engineKey: string): FileCache {
  const own = source.cacheFolder?.(engineKey);
  // The folder is deleted with its avatar. An avatar that is prepared at that time must not create it again.
  return own === undefined ? commonCache : createFileCache(own, { create: false });
}

function avatarFile(source: AvatarSource, engineKey: string, width: number, height: number): string {
  const drawn = drawnSize({ width, height });
  return `${source.contentHash(engineKey)}-${drawn.width}x${drawn.height}.avatar`;
}

/**
 * An avatar drawn patch by patch, or the path of the file in which it is.
 * @param options.begun the part that a previous worker has drawn.
 * @param options.onBegun is given the block as soon as it can be shown. @param options.onShare is told the share that
 * is drawn, 0…1.
 */
async function* loadAvatar(
  engineKey: string,
  width: number,
  height: number,
  options: {
    readonly begun: SharedArrayBuffer | null;
    readonly onBegun: (prepared: SharedArrayBuffer) => void;
    readonly onShare: (share: number) => void;
  },
): AsyncGenerator<void, SharedArrayBuffer | string> {
  const source = sourceOf(engineKey);
  const cache = cacheOf(source, engineKey);
  const file = avatarFile(source, engineKey, width, height);
  // An avatar that sessions show is finished in the same memory: they would not see another copy.
  if (options.begun === null) {
    const path = cache.path(file);
    if (isWholeFile(path, (content) => isWhole(unpackAvatar(content)))) return path;
  }
  const drawn = drawnSize({ width, height });
  const drawing = await source.open(engineKey, drawn.width, drawn.height);
  const prepared = options.begun ?? beginAvatar(drawing);
  options.onBegun(prepared);
  for (const share of finishAvatar(drawing, unpackAvatar(prepared))) {
    options.onShare(share);
    yield;
  }
  await cache.write(file, prepared);
  return prepared;
}

function prepareTask({ job, engineKey, width, height, begun, need }: Message<'prepare'>): Task {
  let share: number | null = null;
  needs.set(job, need);

  async function* steps(): AsyncGenerator<void, void> {
    const began = engineNow();
    const prepared = yield* loadAvatar(engineKey, width, height, {
      begun,
      onBegun(block) {
        share = 0;
        post({ type: 'begun', job, prepared: block });
        if (needs.get(job) === 'session') letSessionsGoFirst();
      },
      onShare: (drawn) => (share = drawn),
    });
    needs.delete(job);
    post({ type: 'prepared', job, prepared, tookMs: engineNow() - began });
  }

  return {
    urgency: () => drawingUrgency(needs.get(job) ?? need, share),
    steps: steps(),
    failed(error) {
      needs.delete(job);
      post({ type: 'job-failed', job, message: textOf(error) });
    },
  };
}

/** Work that is done in one step. */
function jobTask(job: number, run: () => Promise<void>): Task {
  // eslint-disable-next-line require-yield
  async function* steps(): AsyncGenerator<void, void> {
    await run();
  }
  return {
    urgency: () => POSTER_URGENCY,
    steps: steps(),
    failed: (error) => post({ type: 'job-failed', job, message: textOf(error) }),
  };
}

async function runPoster({ job, engineKey, width, height }: Message<'poster'>): Promise<void> {
  const source = sourceOf(engineKey);
  const cache = cacheOf(source, engineKey);
  const file = `${source.contentHash(engineKey)}-${width}x${height}.jpg`;
  const poster = (await cache.read(file)) ?? (await drawPoster());
  // A copy in separate memory, which can be transferred.
  const jpeg = Uint8Array.from(new Uint8Array(poster));
  post({ type: 'poster', job, jpeg }, [jpeg.buffer]);

  async function drawPoster(): Promise<SharedArrayBuffer> {
    const drawn = await source.poster(engineKey, width, height);
    const shared = new SharedArrayBuffer(drawn.length);
    new Uint8Array(shared).set(drawn);
    await cache.write(file, shared);
    return shared;
  }
}

async function runUndrawn({ job, engineKeys, width, height }: Message<'undrawn'>): Promise<void> {
  const there = await Promise.all(
    engineKeys.map((engineKey) => {
      const source = sourceOf(engineKey);
      return cacheOf(source, engineKey).has(avatarFile(source, engineKey, width, height));
    }),
  );
  post({ type: 'undrawn', job, engineKeys: engineKeys.filter((_, i) => there[i] === false) });
}

function addLoops(key: string, look: LoopLook, wanted: readonly LoopName[]): void {
  async function* steps(): AsyncGenerator<void, void> {
    const elsewhere = yield* findLoops(key, look, wanted);
    if (elsewhere.length === 0) return void loopWork.delete(key);
    const timer = setTimeout(() => addLoops(key, look, elsewhere), LOOK_AGAIN_MS);
    loopWork.set(key, () => clearTimeout(timer));
  }
  const task: Task = {
    urgency: () => LOOP_URGENCY,
    steps: steps(),
    failed(error) {
      loopWork.delete(key);
      post({ type: 'loops-failed', key, message: textOf(error) });
    },
  };
  loopWork.set(key, () => queue.takeBack(task));
  queue.add(task);
}

function withdrawLoops(key: string): void {
  loopWork.get(key)?.();
  loopWork.delete(key);
}

async function* findLoops(
  key: string,
  look: LoopLook,
  wanted: readonly LoopName[],
): AsyncGenerator<void, readonly LoopName[]> {
  letSessionsGoFirst();
  const source = sourceOf(look.engineKey);
  const content = `${source.contentHash(look.engineKey)} ${key}`;
  /** Most often all loops are there, and nobody looks at the face. */
  let renderer: PatchRenderer | null = null;
  return yield* findOrEncode(wanted, {
    cache: cacheOf(source, look.engineKey),
    hash: createHash('sha256').update(content).digest('hex').slice(0, 24),
    async *encode({ mood, variation }) {
      renderer ??= yield* openRenderer(look);
      return packLoop(yield* encodeIdleLoop(renderer, look, mood, variation));
    },
    found: (name, loop) => post({ type: 'loop', key, name, loop }),
  });
}

async function* openRenderer({ engineKey, width, height }: LoopLook): AsyncGenerator<void, PatchRenderer> {
  const nobody = { begun: null, onBegun: () => {}, onShare: () => {} };
  const prepared = yield* loadAvatar(engineKey, width, height, nobody);
  return new PatchRenderer(unpackAvatar(typeof prepared === 'string' ? mapPath(prepared).content : prepared));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

port.on('message', (message: ToPrepareWorker) => {
  switch (message.type) {
    case 'prepare':
      return queue.add(prepareTask(message));
    case 'need': {
      const known = needs.get(message.job);
      if (known !== undefined) needs.set(message.job, moreUrgent(known, message.need));
      return;
    }
    case 'poster':
      return queue.add(jobTask(message.job, () => runPoster(message)));
    case 'undrawn':
      return queue.add(jobTask(message.job, () => runUndrawn(message)));
    case 'loops': {
      const key = loopKey(message.look);
      if (!loopWork.has(key)) addLoops(key, message.look, LOOP_NAMES);
      return;
    }
    case 'drop-loops':
      return withdrawLoops(message.key);
    case 'stop':
      for (const key of loopWork.keys()) withdrawLoops(key);
      queue.close();
      port.close();
  }
});
