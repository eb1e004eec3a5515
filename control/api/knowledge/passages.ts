import { sql } from 'kysely';
import type { Store } from '../../store/open.ts';

/** A passage that may answer a question. */
export interface Candidate {
  readonly id: number;
  readonly documentId: string;
  readonly filename: string;
  readonly content: string;
  readonly chunkIndex: number;
  readonly metadata: Record<string, unknown>;
}

interface Row {
  id: number;
  document_id: string;
  filename: string;
  content: string;
  chunk_index: number;
  metadata_json: string;
}

/** Best passages by words: at least one of them occurs. Only documents that are ready. */
export async function byWords(
  store: Store,
  groupIds: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<Candidate[]> {
  if (words.length === 0 || groupIds.length === 0) return [];
  const groups = sql.join(groupIds);
  const rows =
    store.kind === 'sqlite'
      ? sql<Row>`select c.id, c.document_id, d.filename, c.content, c.chunk_index, c.metadata_json
        from knowledge_words w join knowledge_chunks c on c.id = w.rowid join knowledge_documents d on d.id = c.document_id
        where knowledge_words match ${words.map((word) => `"${word}"`).join(' OR ')} and c.group_id in (${groups}) and d.status = 'READY'
        order by bm25(knowledge_words), c.id limit ${limit}`
      : sql<Row>`select c.id, c.document_id, d.filename, c.content, c.chunk_index, c.metadata_json
        from knowledge_chunks c join knowledge_documents d on d.id = c.document_id, to_tsquery('english', ${words.join(' | ')}) q
        where c.words @@ q and c.group_id in (${groups}) and d.status = 'READY'
        order by ts_rank_cd(c.words, q) desc, c.id limit ${limit}`;
  return (await rows.execute(store.db)).rows.map(candidate);
}

/** Nearest passages by meaning, with their closeness, -1…1. Passages without a vector of this length are left out. */
export async function byMeaning(
  store: Store,
  groupIds: readonly string[],
  vector: Float32Array,
  limit: number,
): Promise<{ candidate: Candidate; closeness: number }[]> {
  if (groupIds.length === 0) return [];
  const groups = sql.join(groupIds);
  const closeness =
    store.kind === 'sqlite'
      ? sql<number>`cosine(c.embedding, ${storedVector(store, vector)})`
      : sql<number>`(select sum(a * b) / nullif(sqrt(sum(a * a)) * sqrt(sum(b * b)), 0) from unnest(c.embedding, ${storedVector(store, vector)}::real[]) as pair(a, b))`;
  const found = await sql<Row & { closeness: number }>`select * from (
      select c.id, c.document_id, d.filename, c.content, c.chunk_index, c.metadata_json, ${closeness} as closeness
      from knowledge_chunks c join knowledge_documents d on d.id = c.document_id
      where c.group_id in (${groups}) and d.status = 'READY' and c.embedding is not null
    ) near where closeness is not null order by closeness desc, id limit ${limit}`.execute(store.db);
  return found.rows.map((row) => ({ candidate: candidate(row), closeness: Number(row.closeness) }));
}

/** A vector as the database keeps it: bytes in SQLite, an array in PostgreSQL. */
export function storedVector(store: Store, vector: Float32Array): Uint8Array | number[] {
  return store.kind === 'sqlite' ? new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength) : [...vector];
}

function candidate(row: Row): Candidate {
  return {
    id: Number(row.id),
    documentId: row.document_id,
    filename: row.filename,
    content: row.content,
    chunkIndex: row.chunk_index,
    metadata: JSON.parse(row.metadata_json),
  };
}
