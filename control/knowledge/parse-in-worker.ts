import { Worker } from 'node:worker_threads';
import type { Chunk } from './chunk.ts';

export interface ParseRequest {
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
}

export type ParseAnswer = { readonly chunks: readonly Chunk[] } | { readonly unreadable: string };

/** `message` tells the user why. */
export class UnreadableDocumentError extends Error {
  override readonly name = 'UnreadableDocumentError';
}

/** Documents are made by strangers: a parser that runs wild is stopped after this time, or when it has eaten this much. */
const PARSE_TIMEOUT_MS = 120_000;
const PARSE_MEMORY_MB = 512;

/** Parses a document in a thread of its own. @throws UnreadableDocumentError, or the signal's reason when it fires. */
export async function parseInWorker(request: ParseRequest, signal: AbortSignal): Promise<Chunk[]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: PARSE_MEMORY_MB },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Parsers print remarks about odd files; they may quote the content.
    stdout: true,
    stderr: true,
  });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(PARSE_TIMEOUT_MS)]);
  try {
    return await new Promise<Chunk[]>((resolve, reject) => {
      deadline.addEventListener(
        'abort',
        () =>
          reject(signal.aborted ? signal.reason : new UnreadableDocumentError('Reading the document took too long.')),
        { once: true },
      );
      worker.on('message', (answer: ParseAnswer) => {
        if ('chunks' in answer) resolve([...answer.chunks]);
        else reject(new UnreadableDocumentError(answer.unreadable));
      });
      worker.on('error', () => reject(new UnreadableDocumentError('The document is damaged or too complex to read.')));
      worker.on('exit', () => reject(new UnreadableDocumentError('The document is damaged or too complex to read.')));
    });
  } finally {
    await worker.terminate();
  }
}
