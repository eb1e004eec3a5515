import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FormatContext } from 'node-av/lib';
import type { RecordedFile } from './index.ts';

const MICROSECONDS = 1_000_000n;

/** @returns how long a recording is, ms; null when it cannot be read. */
export function durationOf(path: string): number | null {
  const context = new FormatContext();
  try {
    if (context.openInputSync(path) < 0 || context.findStreamInfoSync() < 0) return null;
    return Number((context.duration * 1000n) / MICROSECONDS);
  } finally {
    context.closeInputSync();
  }
}

/**
 * Recordings in the folder, including those of sessions that ended with a crash: their last second may be missing, the
 * rest can be played. Files without a frame are left out.
 */
export function recordingsIn(folder: string): (RecordedFile & { readonly sessionId: string })[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.mp4'));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    const durationMs = durationOf(path);
    return durationMs === null || durationMs <= 0
      ? []
      : [{ sessionId: name.slice(0, -'.mp4'.length), path, durationMs, bytes: statSync(path).size }];
  });
}
