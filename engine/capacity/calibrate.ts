import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { MotionPrecision } from '../face/encode/video-encoder.ts';
import { VERSION } from '../../runtime/version.ts';

/** In the data folder: what the machine was measured to do. */
export const CALIBRATION_FILE = 'capacity.json';
/**
 * Threads that measure where nothing is kept. On a quiet machine one in five was slow throughout: 0.49 ms instead of 0.34.
 */
const FIRST_THREADS = 4;
const frameTimes = z.object({ 'full pixel': z.number().positive(), 'half pixel': z.number().positive() });
const measured = z.object({ processor: z.string(), software: z.string(), frameMs: frameTimes });

/** To draw and encode a frame of a known face, ms. */
export type FrameTimes = Readonly<z.infer<typeof frameTimes>>;

export interface Calibration {
  /** What takes less time here. */
  readonly motionPrecision: MotionPrecision;
  /** With that step. */
  readonly frameMs: number;
}

/**
 * How fast this machine is. Each start measures it, in a thread of its own (0.3 to 0.7 s; the first start four times).
 * The quickest times of this processor and version are kept in the data folder: a start on a busy machine took 0.62 ms
 * for what the same machine did in 0.34 ms when it was quiet, and halved its places.
 * @returns null when it was never measured, and cannot be.
 */
export async function calibrate(dataDir: string, measureFrame = measure): Promise<Calibration | null> {
  const processor = cpus()[0]?.model ?? 'unknown';
  const path = join(dataDir, CALIBRATION_FILE);
  const file = measured.safeParse(await readJson(path));
  const kept = file.success && file.data.processor === processor && file.data.software === VERSION ? file.data : null;
  const frameMs = await quickestOf(kept?.frameMs ?? null, kept === null ? FIRST_THREADS : 1, measureFrame);
  if (frameMs === null) return null;
  // Without it, the next start knows only its own measurement.
  if (!isDeepStrictEqual(frameMs, kept?.frameMs))
    await keep(dataDir, path, { processor, software: VERSION, frameMs }).catch(() => {});
  const motionPrecision = frameMs['half pixel'] < frameMs['full pixel'] ? 'half pixel' : 'full pixel';
  return { motionPrecision, frameMs: frameMs[motionPrecision] };
}

/** One thread after the other. @param before what was measured earlier. */
async function quickestOf(
  before: FrameTimes | null,
  threads: number,
  measureFrame: typeof measure,
): Promise<FrameTimes | null> {
  let quickest = before;
  for (let thread = 0; thread < threads; thread++) {
    const times = await measureFrame();
    if (times === null) continue;
    quickest = {
      'full pixel': Math.min(quickest?.['full pixel'] ?? Infinity, times['full pixel']),
      'half pixel': Math.min(quickest?.['half pixel'] ?? Infinity, times['half pixel']),
    };
  }
  return quickest;
}

async function measure(): Promise<FrameTimes | null> {
  const thread = new Worker(new URL('calibrate-thread.ts', import.meta.url), { name: 'calibrate' });
  return await new Promise((resolve) => {
    thread.once('message', (times: FrameTimes) => resolve(times));
    thread.once('error', () => resolve(null));
    thread.once('exit', () => resolve(null));
  });
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

async function keep(dataDir: string, path: string, content: z.infer<typeof measured>): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(content));
  await rename(`${path}.new`, path);
}
