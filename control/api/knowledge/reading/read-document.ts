import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type ConfinedEnd, ConfinedProcessError, runConfined } from '../../../../runtime/confined-process.ts';
import type { DocumentType } from '../document-type.ts';
import { READING } from './limits.ts';
import type { Chunking, Passage } from './passage.ts';
import { openPassageFile } from './passage-file.ts';
import { readPassages } from './read-passages.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

export interface ReadingRequest {
  readonly type: DocumentType;
  readonly chunking: Chunking;
}

/** What else is to be told of a document that was read. */
export interface ReadingNotes {
  /** Told when its characters may be wrong, before the first passage. */
  doubt(sentence: string): void;
}

const readingAnswer = z.union([
  z.object({ passages: z.int(), doubt: z.string().nullable() }),
  z.object({ unreadable: z.string() }),
]);
export type ReadingAnswer = z.infer<typeof readingAnswer>;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const ENTRY = here('reading-process.ts');
/** Its own code and what that is made of. Neither documents of others nor the master key, and no other process. */
const MAY_READ = [
  '../../../',
  '../../../../engine/',
  '../../../../runtime/',
  '../../../../node_modules/',
  '../../../../package.json',
].map(here);

/** Why nothing came of it, for whoever uploaded the document. */
const REASONS: Readonly<Record<Exclude<ConfinedEnd, 'stopped'>, string>> = {
  time: `Reading the document takes more than ${READING.cpuSeconds} s. Divide it, or save it in a simpler form.`,
  memory: `Reading the document takes more than ${READING.memoryMb} MB of memory. Divide it, or save it in a simpler form.`,
  crash: 'The document is damaged or too complex to read.',
};

const NOT_STARTED =
  'The service cannot read documents at present: nothing is wrong with this one. Upload it again later.';

/**
 * Reads a document in a confined process and yields its passages. They wait in a file until they are asked for: the
 * process is gone by then, and only one of them is held at a time.
 * @param where `document` its file; `passages` a path where a file may be made for a while.
 * @throws UnreadableDocumentError, or the signal's reason when it fires.
 */
export async function* readDocument(
  where: { document: string; passages: string },
  request: ReadingRequest,
  signal: AbortSignal,
  notes?: ReadingNotes,
): AsyncGenerator<Passage> {
  const file = await openPassageFile(where.passages);
  try {
    const answer = await read(where.document, file, request, signal);
    if ('unreadable' in answer) throw new UnreadableDocumentError(answer.unreadable);
    if (answer.passages === 0) throw new UnreadableDocumentError('The document contains no text.');
    if (answer.doubt !== null) notes?.doubt(answer.doubt);
    yield* readPassages(file);
  } finally {
    await file.close();
  }
}

async function read(
  path: string,
  file: FileHandle,
  request: ReadingRequest,
  signal: AbortSignal,
): Promise<ReadingAnswer> {
  const document = await open(path, 'r');
  try {
    const answer = await runConfined({
      entry: ENTRY,
      args: [JSON.stringify(request)],
      limits: READING,
      mayRead: MAY_READ,
      input: document.fd,
      output: file.fd,
      signal,
    });
    return readingAnswer.parse(answer);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConfinedProcessError && error.end !== 'stopped') {
      const isOurs = error.end === 'crash' && !error.hadBegun;
      throw new UnreadableDocumentError(isOurs ? NOT_STARTED : REASONS[error.end], { cause: error });
    }
    throw error;
  } finally {
    await document.close();
  }
}
