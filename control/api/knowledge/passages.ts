import { sql } from 'kysely';
import type { Store } from '../../store/open.ts';
import type { Candidate } from './candidate.ts';
import type { Alternative, QueryWord } from './query-terms.ts';
import { type RatedWord, rarityOf } from './rank-passages.ts';

interface Row {
  id: number;
  document_id: string;
  filename: string;
  content: string;
  terms: string;
  chunk_index: number;
  metadata_json: string;
}

/** From this many on, a word is simply frequent. */
const MAX_COUNTED = 2000;

/** Counts the passages that have each word: rare words say more. Words that none has are left out of the search. */
export async function rateWords(
  store: Store,
  groupIds: readonly string[],
  words: readonly QueryWord[],
): Promise<RatedWord[]> {
  if (words.length === 0 || groupIds.length === 0) return [];
  const groups = sql.join(groupIds);
  const having = (word: QueryWord) =>
    store.kind === 'sqlite'
      ? sql`knowledge_words w join knowledge_chunks c on c.id = w.rowid where knowledge_words match ${sqliteQuery(word)} and`
      : sql`knowledge_chunks c where c.words @@ ${postgresQuery(word)}::tsquery and`;
  const counts = words.map(
    (word, index) =>
      sql`select ${sql.lit(index)} as word, count(*) as found from (select 1 from ${having(word)} c.group_id in (${groups}) limit ${sql.lit(MAX_COUNTED)}) as counted`,
  );
  const all = sql`select -1 as word, count(*) as found from (select 1 from knowledge_chunks c where c.group_id in (${groups}) limit ${sql.lit(MAX_COUNTED * 10)}) as counted`;
  const { rows } = await sql<{ word: number; found: number }>`${sql.join([all, ...counts], sql` union all `)}`.execute(
    store.db,
  );
  const found = new Map(rows.map((row) => [Number(row.word), Number(row.found)]));
  return words.map((alternatives, index) => ({
    alternatives,
    rarity: rarityOf(found.get(-1) ?? 0, found.get(index) ?? 0),
  }));
}

const columns = sql`c.id, c.document_id, d.filename, c.content, c.terms, c.chunk_index, c.metadata_json`;

/** Passages with at least one of the words, those with the rarest first. Only documents that are ready. */
export async function byWords(
  store: Store,
  groupIds: readonly string[],
  words: readonly RatedWord[],
  limit: number,
): Promise<Candidate[]> {
  if (words.length === 0 || groupIds.length === 0) return [];
  const groups = sql.join(groupIds);
  const any = words.flatMap(({ alternatives }) => alternatives);
  const rows =
    store.kind === 'sqlite'
      ? sql<Row>`select ${columns}
        from knowledge_words w join knowledge_chunks c on c.id = w.rowid join knowledge_documents d on d.id = c.document_id
        where knowledge_words match ${sqliteQuery(any)} and c.group_id in (${groups}) and d.status = 'READY' and c.reading = d.reading
        order by bm25(knowledge_words), c.id limit ${limit}`
      : sql<Row>`select ${columns}
        from knowledge_chunks c join knowledge_documents d on d.id = c.document_id
        where c.words @@ ${postgresQuery(any)}::tsquery and c.group_id in (${groups}) and d.status = 'READY' and c.reading = d.reading
        order by ${sql.join(
          words.map(
            ({ alternatives, rarity }) =>
              sql`case when c.words @@ ${postgresQuery(alternatives)}::tsquery then ${sql.lit(rarity)} else 0 end`,
          ),
          sql` + `,
        )} desc, c.id limit ${limit}`;
  return (await rows.execute(store.db)).rows.map(candidate);
}

/** Terms hold only letters, marks, digits and `_`. */
const sqliteQuery = (alternatives: readonly Alternative[]): string =>
  alternatives.map(({ term, isPrefix }) => `"${term}"${isPrefix ? ' *' : ''}`).join(' OR ');
const postgresQuery = (alternatives: readonly Alternative[]): string =>
  alternatives.map(({ term, isPrefix }) => `'${term}'${isPrefix ? ':*' : ''}`).join(' | ');

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
      select ${columns}, ${closeness} as closeness
      from knowledge_chunks c join knowledge_documents d on d.id = c.document_id
      where c.group_id in (${groups}) and d.status = 'READY' and c.reading = d.reading and c.embedding is not null
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
    terms: row.terms,
    chunkIndex: row.chunk_index,
    metadata: JSON.parse(row.metadata_json),
  };
}
