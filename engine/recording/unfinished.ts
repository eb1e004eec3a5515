import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FormatContext } from 'node-av/lib';
import type { RecordedFile } from './index.ts';

const MICROSECONDS = 1_000_000n;
/** Each box of an MP4 begins with its size in bytes and its name, four bytes each (ISO/IEC 14496-12). */
const BOX_HEADER = 8;

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
 * Removes the index of a last fragment where writing ended within it, and with it nothing that can be seen: FFmpeg and browsers
 * refuse a whole file for that. A fragment with its index is left, its frames may be there in part; so is a file that cannot
 * be opened or changed.
 */
export function cutBrokenFragment(path: string): void {
  let file: number | null = null;
  try {
    file = openSync(path, 'r+');
    const { size } = fstatSync(file);
    const end = endOfWholeBoxes(file, size);
    if (end < size) ftruncateSync(file, end);
  } catch {
    // It is what it was.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** @returns how long what is left of a recording is without a broken fragment, ms; null when it cannot be read. */
export function durationOnceCut(path: string): number | null {
  cutBrokenFragment(path);
  return durationOf(path);
}

/** @returns where the last box begins if it is an index, or no whole name, that ends behind the file; otherwise its size. */
function endOfWholeBoxes(file: number, size: number): number {
  const header = Buffer.alloc(BOX_HEADER);
  for (let at = 0; at < size;) {
    if (readSync(file, header, 0, BOX_HEADER, at) < BOX_HEADER) return at;
    const bytes = header.readUInt32BE(0);
    // Sizes of another kind: no part of a file in fragments.
    if (bytes < BOX_HEADER) return size;
    if (at + bytes > size) return header.toString('latin1', 4) === 'moof' ? at : size;
    at += bytes;
  }
  return size;
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
    const durationMs = durationOf(path) ?? durationOnceCut(path);
    return durationMs === null || durationMs <= 0
      ? []
      : [{ sessionId: name.slice(0, -'.mp4'.length), path, durationMs, bytes: statSync(path).size }];
  });
}
