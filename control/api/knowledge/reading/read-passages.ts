import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { MAX_WHOLE, MAX_PASSAGES } from './limits.ts';
import { MAX_HEADING_LENGTH, type Passage } from './passage.ts';
import { PIECE } from './passage-file.ts';

/** Not where a document is read: each of those processes took 60 of 290 ms of processor time to load `zod`. */
const passage: z.ZodType<Passage> = z.strictObject({
  content: z.string().min(1).max(MAX_WHOLE),
  metadata: z
    .strictObject({ page: z.int(), row: z.int(), line: z.int(), heading: z.string().max(MAX_HEADING_LENGTH) })
    .partial(),
});

/** A character is six bytes where JSON escapes it; some are left for the metadata. */
const MAX_LINE_LENGTH = MAX_WHOLE * 6 + 1000;
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
      if (count > MAX_PASSAGES) throw new RangeError('There are too many passages.');
      yield passage.parse(JSON.parse(rest.toString('utf8', from, end)));
      from = end + 1;
    }
    rest = rest.subarray(from);
    if (rest.length > MAX_LINE_LENGTH) throw new RangeError('A passage is too long.');
  }
}
