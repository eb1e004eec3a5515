import { writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { LARGEST_WHOLE, MOST_PASSAGES } from './limits.ts';
import { type Passage, passage } from './passage.ts';

/** One passage a line, as JSON. The file has no name, so nothing of a document is left when the service is killed. */
export async function openPassageFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** Bytes that are written or read at a time. */
const PIECE = 65_536;

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

/** A character is six bytes where JSON escapes it; some are left for the metadata. */
const LONGEST_LINE = LARGEST_WHOLE * 6 + 1000;
const END_OF_LINE = 0x0a;

/**
 * Reads what `writePassages` wrote, holding one line and one block of the disk at a time. The writer has read an
 * untrusted file. @throws when the content is not passages, or there are too many.
 */
export async function* readPassages(file: FileHandle): AsyncGenerator<Passage> {
  const piece = Buffer.alloc(PIECE);
  let rest: Buffer = Buffer.alloc(0);
  let count = 0;
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(piece, 0, PIECE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    rest = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = rest.indexOf(END_OF_LINE); end !== -1; end = rest.indexOf(END_OF_LINE, from)) {
      count += 1;
      if (count > MOST_PASSAGES) throw new RangeError('There are too many passages.');
      yield passage.parse(JSON.parse(rest.toString('utf8', from, end)));
      from = end + 1;
    }
    rest = rest.subarray(from);
    if (rest.length > LONGEST_LINE) throw new RangeError('A passage is too long.');
  }
}
