import { writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Passage } from './passage.ts';

/** One passage a line, as JSON. The file has no name, so nothing of a document is left when the service is killed. */
export async function openPassageFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** Bytes that are written or read at a time. */
export const PIECE = 65_536;

/** @returns how many passages were written. */
export async function writePassages(fd: number, passages: AsyncIterable<Passage>): Promise<number> {
  let count = 0;
  let lines = '';
  for await (const one of passages) {
    count += 1;
    lines += `${JSON.stringify(one)}\n`;
    if (lines.length < PIECE) continue;
    writeWhole(fd, lines);
    lines = '';
  }
  writeWhole(fd, lines);
  return count;
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) from += writeSync(fd, bytes, from);
}
