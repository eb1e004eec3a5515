import { ConfinedProcessError } from '../../../runtime/confined-process.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { Embedder } from '../../../models/ports.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Blobs } from '../../store/blobs.ts';
import { isMissingReference, type Store } from '../../store/open.ts';
import { BlobsUnavailableError } from '../../store/s3/blobs-unavailable-error.ts';
import type { KnowledgeDocumentRow } from '../../store/tables.ts';
import { documentType } from './document-type.ts';
import { READER } from './reading/reader.ts';
import { readDocument } from './reading/read-document.ts';
import type { Passage } from './reading/passage.ts';
import { UnreadableDocumentError } from './reading/unreadable-document.ts';
import { removePassages, storePassages } from './store-passages.ts';

interface Tools {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly embedder: Embedder | null;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** If the reading of a document was cut off this often, because the service ended, it is not started again. */
const MAX_ATTEMPTS = 3;
const CUT_OFF = `The service ended ${MAX_ATTEMPTS} times while it read the document. Divide it, or save it in a simpler form.`;

/**
 * Reads a document, cuts it into passages and makes it searchable. It is found from the moment when its status says
 * READY, and then as a whole. Repeating this is harmless.
 */
export async function processDocument(tools: Tools, documentId: string): Promise<void> {
  const { store } = tools;
  const row = await begin(store, documentId);
  if (row === undefined) return readAgain(tools, documentId);
  try {
    await publish(tools, row);
  } catch (error) {
    if (!(await isItsOwn(error, tools, row))) return;
    const known = error instanceof UnreadableDocumentError;
    // Whoever uploaded it is told nothing of this, and may not be the cause.
    if (known && error.cause instanceof ConfinedProcessError && error.cause.end === 'crash')
      tools.log.error({ documentId, problem: error.cause.message }, 'the process that reads documents failed');
    await fail(tools, row, known ? error.message : 'The document could not be processed.');
    if (!known) throw error;
  }
}

/** @returns the row, its attempt counted, or nothing when somebody deleted or finished the document. */
async function begin({ db }: Store, id: string): Promise<KnowledgeDocumentRow | undefined> {
  return db
    .updateTable('knowledge_documents')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .returningAll()
    .executeTakeFirst();
}

/**
 * @returns whether a failure to publish is one of the document; false when it was deleted while it was read.
 * @throws the error when neither: after a stop, or while its bucket is away, the document is taken up again later
 */
async function isItsOwn(error: unknown, { store, signal }: Tools, row: KnowledgeDocumentRow): Promise<boolean> {
  if (signal.aborted || error instanceof BlobsUnavailableError) {
    await giveBack(store, row);
    throw error;
  }
  return !isMissingReference(error);
}

/** Its row has to be as it was: otherwise somebody else has begun meanwhile, and goes on. */
async function publish(tools: Tools, row: KnowledgeDocumentRow): Promise<void> {
  const { store, now } = tools;
  const reading = row.reading + 1;
  // A search sees only the reading that the row names, so passages may be stored in short steps that delay nobody.
  await removePassages(store, row.id, row.reading);
  let note: string | null = null;
  const passages = passagesOf(tools, row, (sentence) => {
    note = sentence;
  });
  await storePassages(tools, row, reading, passages);
  const { numUpdatedRows } = await store.db
    .updateTable('knowledge_documents')
    .set({ status: 'READY', error_message: null, note, reading, reader: READER, updated_at: isoTime(now()) })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('attempts', '=', row.attempts)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await removePassages(store, row.id, reading);
}

/**
 * Reads a document once more that older readers have read. It is found as before until the new passages are complete,
 * and if it cannot be read, for ever.
 */
async function readAgain(tools: Tools, documentId: string): Promise<void> {
  const { store } = tools;
  const row = await store.db
    .updateTable('knowledge_documents')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', documentId)
    .where('status', '=', 'READY')
    .where('reader', '<', READER)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return;
  try {
    await publish(tools, row);
  } catch (error) {
    if (!(await isItsOwn(error, tools, row))) return;
    await removePassages(store, row.id, row.reading);
    // An embedding service that is away is asked again after the next start.
    if (!(error instanceof UnreadableDocumentError)) throw error;
    await store.db
      .updateTable('knowledge_documents')
      .set({ reader: READER })
      .where('id', '=', row.id)
      .where('status', '=', 'READY')
      .execute();
  }
}

async function* passagesOf(
  { blobs, signal }: Tools,
  row: KnowledgeDocumentRow,
  doubt: (sentence: string) => void,
): AsyncGenerator<Passage> {
  if (row.attempts > MAX_ATTEMPTS) throw new UnreadableDocumentError(CUT_OFF);
  const type = documentType(row.filename, row.file_type);
  if (type === null) throw new UnreadableDocumentError('This type of document is not supported.');
  const document = await blobs.onDisk(row.blob_key);
  if (document === null) throw new UnreadableDocumentError('The uploaded file is missing.');
  try {
    const where = { document: document.path, passages: await blobs.incoming() };
    const chunking = { size: row.chunk_size, overlap: row.chunk_overlap };
    yield* readDocument(where, { type, chunking }, signal, { doubt });
  } finally {
    await document.release();
  }
}

/** The attempt does not count. If another process has begun meanwhile, its attempt stays. */
async function giveBack({ db }: Store, { id, attempts }: KnowledgeDocumentRow): Promise<void> {
  await db
    .updateTable('knowledge_documents')
    .set({ attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Says nothing if another process has begun meanwhile. */
async function fail({ store, now }: Tools, { id, attempts }: KnowledgeDocumentRow, reason: string): Promise<void> {
  const { numUpdatedRows } = await store.db
    .updateTable('knowledge_documents')
    .set({ status: 'FAILED', error_message: reason, updated_at: isoTime(now()) })
    .where('id', '=', id)
    .where('status', '=', 'PROCESSING')
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await removePassages(store, id);
}
