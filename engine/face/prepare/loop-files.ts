import { LOOP_MOODS, LOOP_VARIATIONS } from '../animation/idle-script.ts';
import type { LoopMood } from '../animation/idle-script.ts';
import { isWholeFile } from '../rendering/mapped-file.ts';
import type { FileCache } from './cache-file.ts';
import { unpackLoop } from './idle-loop.ts';

export interface LoopName {
  readonly mood: LoopMood;
  readonly variation: number;
}

/** A packed loop: the path of the file that keeps it, or its bytes where it could not be kept. */
export type PackedLoop = string | SharedArrayBuffer;

/** All loops of a look. Both moods in turn: a conversation needs both from its first minute on. */
export const LOOP_NAMES: readonly LoopName[] = Array.from(
  { length: Math.max(...Object.values(LOOP_VARIATIONS)) },
  (_, variation) => LOOP_MOODS.filter((mood) => variation < LOOP_VARIATIONS[mood]).map((mood) => ({ mood, variation })),
).flat();

export interface LoopFiles {
  readonly cache: FileCache;
  /** Names the look. */
  readonly hash: string;
  encode(name: LoopName): AsyncGenerator<void, SharedArrayBuffer>;
  found(name: LoopName, loop: PackedLoop): void;
}

/**
 * Finds loops in their files, and encodes those that are missing: each in one process of the machine, which has the lock of
 * its file meanwhile. @returns those that another process encodes now. It may die: look again.
 */
export async function* findOrEncode(
  wanted: readonly LoopName[],
  files: LoopFiles,
): AsyncGenerator<void, readonly LoopName[]> {
  const elsewhere: LoopName[] = [];
  for (const name of wanted) {
    const loop = yield* findOne(name, files);
    if (loop === null) elsewhere.push(name);
    else files.found(name, loop);
    yield;
  }
  return elsewhere;
}

async function* findOne(name: LoopName, { cache, hash, encode }: LoopFiles): AsyncGenerator<void, PackedLoop | null> {
  const file = `${hash}-${name.mood}-${name.variation}.loop`;
  const path = cache.path(file);
  const isThere = (): boolean => isWholeFile(path, (content) => unpackLoop(content).ends.length > 0);
  if (isThere()) return path;
  const lock = await cache.lock(file);
  if (lock === null) return null;
  try {
    // Another process may have written it before it gave the lock back.
    if (isThere()) return path;
    const loop = yield* encode(name);
    return (await cache.write(file, loop)) ? path : loop;
  } finally {
    lock.release();
  }
}
