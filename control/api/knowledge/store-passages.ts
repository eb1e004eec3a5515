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

/**
 * Stores the passages of a reading of a document as they arrive, with their vectors if there is an embedder. They are
 * not found before the document's row names this reading.
 */
export async function storePassages(
  tools: Tools,
  document: KnowledgeDocumentRow,
  reading: number,
  passages: AsyncIterable<Passage>,
): Promise<void> {
  let stored = 0;
  let language: Language | null = null;
  for await (const batch of batchesOf(passages)) {
    tools.signal.throwIfAborted();
    const found = batch.map(({ content, metadata }) => {
      // What stands in the headings above is what it is about.
      const terms = searchTerms(`${metadata.heading ?? ''}\n${content}`, language);
      language = terms.language;
      return terms;
    });
    const vectors = await vectorsOf(tools, document, batch, found);
    const rows = batch.map(({ content, metadata }, index) => {
      return {
        document_id: document.id,
        reading,
        group_id: document.group_id,
        chunk_index: stored + index,
        content,
        terms: found[index]!.terms,
        metadata_json: JSON.stringify(metadata),
        embedding: vectors.get(content) ?? null,
      };
    });
    await tools.store.db.insertInto('knowledge_chunks').values(rows).execute();
    stored += rows.length;
  }
}

type Stored = Uint8Array | number[];

/** A vector of what the embedder does not understand would be near to anything. */
function isUnderstood({ languages }: Embedder, language: Language | null): boolean {
  return language === null || languages === undefined || languages.includes(language.code);
}

/** Vectors cost money: passages that the reading before has as well keep theirs. @returns them by content */
async function vectorsOf(
  { store, embedder, signal }: Tools,
  document: KnowledgeDocumentRow,
  batch: readonly Passage[],
  found: readonly { readonly language: Language | null }[],
): Promise<ReadonlyMap<string, Stored | null>> {
  if (embedder === null) return new Map();
  const contents = batch
    .filter((_, index) => isUnderstood(embedder, found[index]!.language))
    .map(({ content }) => content);
  if (contents.length === 0) return new Map();
  // Who asks for a document to be read once more may have another embedder now.
  const keeps = document.status === 'READY';
  const before = !keeps
    ? []
    : await store.db
        .selectFrom('knowledge_chunks')
        .select(['content', 'embedding'])
        .where('document_id', '=', document.id)
        .where('reading', '=', document.reading)
        .where('content', 'in', contents)
        .where('embedding', 'is not', null)
        .execute();
  const known = new Map<string, Stored | null>(
    before
      .filter(({ embedding }) => lengthOf(embedding) === embedder.dimensions)
      .map(({ content, embedding }) => [content, embedding]),
  );
  const fresh = contents.filter((content) => !known.has(content));
  const vectors = fresh.length === 0 ? [] : await embedder.embed(fresh, signal);
  for (const [index, content] of fresh.entries()) known.set(content, storedVector(store, vectors[index]!));
  return known;
}

const lengthOf = (stored: Stored | null): number =>
  stored instanceof Uint8Array ? stored.byteLength / 4 : (stored?.length ?? 0);

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

/**
 * Deletes the passages of a document in slices, so that other writers get their turn.
 * @param but the reading whose passages stay. @defaultValue none stays
 */
export async function removePassages({ db }: Store, documentId: string, but = -1): Promise<void> {
  for (;;) {
    const next = await db
      .selectFrom('knowledge_chunks')
      .select(['id', sql<number>`length(content)`.as('characters')])
      .where('document_id', '=', documentId)
      .where('reading', '<>', but)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    if (next.length === 0) return;
    let characters = 0;
    const end = next.findIndex((row) => (characters += row.characters) >= CHARACTERS_AT_ONCE);
    const ids = next.slice(0, end === -1 ? next.length : end + 1).map(({ id }) => id);
    await db.deleteFrom('knowledge_chunks').where('id', 'in', ids).execute();
  }
}
