import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { LOOP_MOODS, LOOP_VARIATIONS } from '../animation/idle-script.ts';
import { createIllustratedSource } from '../avatars/illustrated-source.ts';
import { createPhotoSource } from '../photo/photo-source.ts';
import { engineNow } from '../../clock.ts';
import { lowerThreadPriority } from '../../thread-priority.ts';
import { PatchRenderer } from '../rendering/patch-renderer.ts';
import type { PreparedAvatar } from '../rendering/prepared-avatar.ts';
import { packAvatar, unpackAvatar } from '../rendering/prepared-file.ts';
import type { FromPrepareWorker, ToPrepareWorker } from '../worker/protocol.ts';
import type { AvatarSource } from './avatar-source.ts';
import { createFileCache, type FileCache } from './cache-file.ts';
import { encodeIdleLoop, loopKey, packLoop, unpackLoop } from './idle-loop.ts';
import type { LoopLook } from './idle-loop.ts';

/**
 * A thread that prepares avatars and, when it has nothing better to do, encodes idle loops. It runs at low priority: live
 * frames come first, and sessions do without loops until they are there.
 */
const LOW_PRIORITY = 10;

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

lowerThreadPriority(LOW_PRIORITY);

function sourceOf(engineKey: string): AvatarSource {
  const source = sources.find((candidate) => candidate.has(engineKey));
  if (source === undefined) throw new RangeError(`There is no avatar ${JSON.stringify(engineKey)}.`);
  return source;
}

function cacheOf(source: AvatarSource, engineKey: string): FileCache {
  const own = source.cacheFolder?.(engineKey);
  // The folder goes with its avatar: what is prepared while that happens must not bring it back.
  return own === undefined ? commonCache : createFileCache(own, { create: false });
}

async function loadAvatar(
  engineKey: string,
  width: number,
  height: number,
  progress: (share: number) => void,
): Promise<{ prepared: SharedArrayBuffer; fromCache: boolean }> {
  const source = sourceOf(engineKey);
  const cache = cacheOf(source, engineKey);
  const file = `${source.contentHash(engineKey)}-${width}x${height}.avatar`;
  const cached = await cache.read(file);
  if (cached !== null && isWhole(() => unpackAvatar(cached))) return { prepared: cached, fromCache: true };
  const avatar = await source.prepare(engineKey, width, height, async (share) => {
    progress(share);
    await nextTurn();
    await runQueue(posters);
  });
  const prepared = packAvatar(avatar);
  await cache.write(file, prepared);
  return { prepared, fromCache: false };
}

function isWhole(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

async function runPrepare(job: number, engineKey: string, width: number, height: number): Promise<void> {
  const began = engineNow();
  const { prepared, fromCache } = await loadAvatar(engineKey, width, height, (share) =>
    post({ type: 'progress', job, share }),
  );
  post({ type: 'prepared', job, prepared, fromCache, tookMs: engineNow() - began });
}

async function runPoster(job: number, engineKey: string, width: number, height: number): Promise<void> {
  const source = sourceOf(engineKey);
  const cache = cacheOf(source, engineKey);
  const file = `${source.contentHash(engineKey)}-${width}x${height}.jpg`;
  const poster = (await cache.read(file)) ?? (await drawPoster());
  // A copy in memory of its own, which can be handed over.
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

/** Loop sets that are wanted, in order of request. */
const wanted = new Map<string, LoopLook>();
/** Run between the frames of a loop. */
const urgent: (() => Promise<void>)[] = [];
/** Run also between the steps of a preparation: a page is waiting for them, and each takes a tenth of it. */
const posters: (() => Promise<void>)[] = [];
let working = false;
let stopped = false;

async function work(): Promise<void> {
  if (working) return;
  working = true;
  while (!stopped && (posters.length > 0 || urgent.length > 0 || wanted.size > 0)) {
    await runUrgent();
    const [next] = wanted;
    if (next !== undefined) await runLoops(...next);
  }
  working = false;
}

async function runUrgent(): Promise<void> {
  await runQueue(posters);
  await runQueue(urgent);
}

async function runQueue(queue: (() => Promise<void>)[]): Promise<void> {
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) await job();
}

async function runLoops(key: string, look: LoopLook): Promise<void> {
  try {
    const { prepared } = await loadAvatar(look.engineKey, look.width, look.height, () => {});
    const avatar = unpackAvatar(prepared);
    const source = sourceOf(look.engineKey);
    const cache = cacheOf(source, look.engineKey);
    const content = `${source.contentHash(look.engineKey)} ${key}`;
    const name = createHash('sha256').update(content).digest('hex').slice(0, 24);
    // Both moods grow together: a conversation needs both from its first minute on.
    const most = Math.max(...Object.values(LOOP_VARIATIONS));
    for (let variation = 0; variation < most; variation++) {
      for (const mood of LOOP_MOODS) {
        if (variation >= LOOP_VARIATIONS[mood]) continue;
        await runUrgent();
        if (stopped || !wanted.has(key)) return;
        const file = `${name}-${mood}-${variation}.loop`;
        const cached = await cache.read(file);
        const loop =
          cached !== null && isWhole(() => unpackLoop(cached)) ? cached : await encode(avatar, look, mood, variation);
        if (loop === null) return;
        if (loop !== cached) await cache.write(file, loop);
        post({ type: 'loop', key, loop });
      }
    }
  } catch (error) {
    post({ type: 'loops-failed', key, message: textOf(error) });
  }
  wanted.delete(key);
}

async function encode(
  avatar: PreparedAvatar,
  look: LoopLook,
  mood: (typeof LOOP_MOODS)[number],
  variation: number,
): Promise<SharedArrayBuffer | null> {
  const steps = encodeIdleLoop(new PatchRenderer(avatar), look, mood, variation);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return packLoop(step.value);
    await nextTurn();
    await runUrgent();
    if (stopped) {
      steps.return(undefined as never);
      return null;
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function enqueue(queue: (() => Promise<void>)[], job: number, run: () => Promise<void>): void {
  queue.push(async () => {
    try {
      await run();
    } catch (error) {
      post({ type: 'job-failed', job, message: textOf(error) });
    }
  });
  void work();
}

port.on('message', (message: ToPrepareWorker) => {
  switch (message.type) {
    case 'prepare':
      return enqueue(urgent, message.job, () =>
        runPrepare(message.job, message.engineKey, message.width, message.height),
      );
    case 'poster':
      return enqueue(posters, message.job, () =>
        runPoster(message.job, message.engineKey, message.width, message.height),
      );
    case 'loops':
      wanted.set(loopKey(message.look), message.look);
      void work();
      return;
    case 'drop-loops':
      return void wanted.delete(message.key);
    case 'stop':
      stopped = true;
      port.close();
  }
});
