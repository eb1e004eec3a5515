import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { VERSION } from '../version.ts';

const FILE = 'capacity.json';
const measured = z.object({ processor: z.string(), software: z.string(), frameMs: z.number().positive() });

/**
 * How fast this machine is: time to draw and encode a frame of a known face, ms. It is measured once for each processor
 * and version (0.3 s, in a thread of its own) and kept in the data folder.
 * @returns null when it cannot be measured.
 */
export async function calibrate(dataDir: string): Promise<number | null> {
  const processor = cpus()[0]?.model ?? 'unknown';
  const path = join(dataDir, FILE);
  const kept = measured.safeParse(await readJson(path));
  if (kept.success && kept.data.processor === processor && kept.data.software === VERSION) return kept.data.frameMs;
  const frameMs = await measure();
  if (frameMs === null) return null;
  // Without it, the next start measures again.
  await keep(dataDir, path, { processor, software: VERSION, frameMs }).catch(() => {});
  return frameMs;
}

async function measure(): Promise<number | null> {
  const thread = new Worker(new URL('calibrate-thread.ts', import.meta.url), { name: 'calibrate' });
  return await new Promise((resolve) => {
    thread.once('message', (frameMs: number) => resolve(frameMs));
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
