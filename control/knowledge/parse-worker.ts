import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Chunk, cutIntoPassages } from './chunk.ts';
import { documentType } from './document-type.ts';
import type { ParseAnswer, ParseRequest } from './parse-in-worker.ts';
import { MOST_CHUNKS, readers } from './readers.ts';

/** The thread in which one document is read and cut into passages. */
const request = workerData as ParseRequest;

async function parse(): Promise<ParseAnswer> {
  const type = documentType(request.filename, request.contentType);
  if (type === null) return { unreadable: 'This type of document is not supported.' };
  const { sections, whole } = await readers[type](await readFile(request.path));
  const chunks: Chunk[] = [];
  for (const { text, metadata } of sections) {
    const clean = text.replaceAll('\0', '').trim();
    if (clean === '') continue;
    // Rows and lines stay whole unless they are larger than any passage may be.
    const passages =
      whole && clean.length <= LARGEST_WHOLE
        ? [clean]
        : cutIntoPassages(clean, request.chunkSize, request.chunkOverlap);
    for (const content of passages) chunks.push({ content, metadata });
    if (chunks.length > MOST_CHUNKS)
      return {
        unreadable: `The document has more than ${MOST_CHUNKS} passages. Divide it, or use a larger chunkSize.`,
      };
  }
  return { chunks };
}

/** Characters of a table row or a JSON document that are kept in one passage. */
const LARGEST_WHOLE = 32_000;

parentPort!.postMessage(
  await parse().catch((error: unknown): ParseAnswer => ({
    unreadable: `The document could not be read: ${firstLine(error)}`,
  })),
);

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200);
}
