import type { Embedder } from '../../models/ports.ts';
import { isoTime } from '../context.ts';
import type { Blobs } from '../store/blobs.ts';
import { isMissingReference, type Store } from '../store/open.ts';
import type { KnowledgeDocumentRow } from '../store/tables.ts';
import type { Chunk } from './chunk.ts';
import { parseInWorker, UnreadableDocumentError } from './parse-in-worker.ts';
import { storedVector } from './passages.ts';

interface Tools {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly embedder: Embedder | null;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Passages in one insert. */
const STORED_AT_ONCE = 100;
/** Passages whose vectors are asked for in one request. */
const EMBEDDED_AT_ONCE = 64;

/**
 * Reads a document, cuts it into passages and makes it searchable: it is found from the moment when its status says
 * READY, and then as a whole. Repeating it is harmless.
 */
export async function processDocument(tools: Tools, documentId: string): Promise<void> {
  const { store } = tools;
  const row = await store.db
    .selectFrom('knowledge_documents')
    .selectAll()
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (row === undefined || row.status !== 'PROCESSING') return;
  try {
    const chunks = await passagesOf(tools, row);
    await publish(tools, row, chunks);
  } catch (error) {
    if (tools.signal.aborted) throw error;
    const known = error instanceof UnreadableDocumentError;
    await store.db
      .updateTable('knowledge_documents')
      .set({
        status: 'FAILED',
        error_message: known ? error.message : 'The document could not be processed.',
        updated_at: isoTime(tools.now()),
      })
      .where('id', '=', documentId)
      .execute();
    if (!known) throw error;
  }
}

async function passagesOf({ blobs, signal }: Tools, row: KnowledgeDocumentRow): Promise<Chunk[]> {
  if ((await blobs.size(row.blob_key)) === null) throw new UnreadableDocumentError('The uploaded file is missing.');
  const chunks = await parseInWorker(
    {
      path: blobs.pathOf(row.blob_key),
      filename: row.filename,
      contentType: row.file_type,
      chunkSize: row.chunk_size,
      chunkOverlap: row.chunk_overlap,
    },
    signal,
  );
  if (chunks.length === 0) throw new UnreadableDocumentError('The document contains no text.');
  return chunks;
}

async function publish(
  { store, embedder, now, signal }: Tools,
  row: KnowledgeDocumentRow,
  chunks: readonly Chunk[],
): Promise<void> {
  const vectors = embedder === null ? [] : await embedAll(embedder, chunks, signal);
  const rows = chunks.map((chunk, index) => ({
    document_id: row.id,
    group_id: row.group_id,
    chunk_index: index,
    content: chunk.content,
    metadata_json: JSON.stringify(chunk.metadata),
    embedding: vectors[index] === undefined ? null : storedVector(store, vectors[index]),
  }));
  try {
    // A search sees only passages of ready documents, so they may arrive in slices that keep nobody waiting.
    await store.db.deleteFrom('knowledge_chunks').where('document_id', '=', row.id).execute();
    for (let from = 0; from < rows.length; from += STORED_AT_ONCE) {
      signal.throwIfAborted();
      await store.db
        .insertInto('knowledge_chunks')
        .values(rows.slice(from, from + STORED_AT_ONCE))
        .execute();
    }
    await store.db
      .updateTable('knowledge_documents')
      .set({ status: 'READY', error_message: null, updated_at: isoTime(now()) })
      .where('id', '=', row.id)
      .execute();
  } catch (error) {
    // Deleted while it was read.
    if (!isMissingReference(error)) throw error;
  }
}

async function embedAll(embedder: Embedder, chunks: readonly Chunk[], signal: AbortSignal): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < chunks.length; from += EMBEDDED_AT_ONCE) {
    vectors.push(
      ...(await embedder.embed(
        chunks.slice(from, from + EMBEDDED_AT_ONCE).map(({ content }) => content),
        signal,
      )),
    );
  }
  return vectors;
}
