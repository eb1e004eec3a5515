import { sql } from 'kysely';
import type { Embedder } from '../../../models/ports.ts';
import type { Store } from '../../store/open.ts';
import type { KnowledgeDocumentRow } from '../../store/tables.ts';
import { storedVector } from './passages.ts';
import type { Language } from '../../store/search/languages.ts';
import type { Passage } from './reading/passage.ts';
import { searchTerms } from '../../store/search/search-terms.ts';

/** For how many passages one request asks vectors, and how many one insert holds. */
const AT_ONCE = 64;
/** Characters of one insert or deletion: SQLite indexes 1 to 5 MB a second, and other writers wait meanwhile. */
const CHARACTERS_AT_ONCE = 50_000;

interface Tools {
  readonly store: Store;
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
}

/** Stores the passages of a document as they arrive, with their vectors if there is an embedder. */
export async function storePassages(
  { store, embedder, signal }: Tools,
  document: KnowledgeDocumentRow,
  passages: AsyncIterable<Passage>,
): Promise<void> {
  let stored = 0;
  let language: Language | null = null;
  for await (const batch of batchesOf(passages)) {
    signal.throwIfAborted();
    const vectors =
      embedder === null
        ? []
        : await embedder.embed(
            batch.map(({ content }) => content),
            signal,
          );
    const rows = batch.map(({ content, metadata }, index) => {
      // What stands in the headings above is what it is about.
      const found = searchTerms(`${metadata.heading ?? ''}\n${content}`, language);
      language = found.language;
      return {
        document_id: document.id,
        group_id: document.group_id,
        chunk_index: stored + index,
        content,
        terms: found.terms,
        metadata_json: JSON.stringify(metadata),
        embedding: vectors[index] === undefined ? null : storedVector(store, vectors[index]),
      };
    });
    await store.db.insertInto('knowledge_chunks').values(rows).execute();
    stored += rows.length;
  }
}

async function* batchesOf(passages: AsyncIterable<Passage>): AsyncGenerator<Passage[]> {
  let batch: Passage[] = [];
  let characters = 0;
  for await (const passage of passages) {
    batch.push(passage);
    characters += passage.content.length;
    if (batch.length < AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Deletes the passages of a document in slices, so that other writers get their turn. */
export async function removePassages({ db }: Store, documentId: string): Promise<void> {
  for (;;) {
    const next = await db
      .selectFrom('knowledge_chunks')
      .select(['chunk_index', sql<number>`length(content)`.as('characters')])
      .where('document_id', '=', documentId)
      .orderBy('chunk_index')
      .limit(AT_ONCE)
      .execute();
    if (next.length === 0) return;
    let characters = 0;
    const last = next.find((row) => (characters += row.characters) >= CHARACTERS_AT_ONCE) ?? next.at(-1)!;
    await db
      .deleteFrom('knowledge_chunks')
      .where('document_id', '=', documentId)
      .where('chunk_index', '<=', last.chunk_index)
      .execute();
  }
}
