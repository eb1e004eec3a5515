import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect-of.ts';

/**
 * Passages of documents and their full-text index: FTS5 in SQLite, a generated tsvector in PostgreSQL. Vectors are
 * float32 bytes in SQLite and an array in PostgreSQL, so that no extension is needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  await db.schema
    .createTable('knowledge_chunks')
    .addColumn('id', postgres ? 'bigserial' : 'integer', (c) =>
      postgres ? c.primaryKey() : c.primaryKey().autoIncrement(),
    )
    .addColumn('document_id', 'text', (c) => c.notNull().references('knowledge_documents.id').onDelete('cascade'))
    .addColumn('group_id', 'text', (c) => c.notNull())
    .addColumn('chunk_index', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('metadata_json', 'text', (c) => c.notNull())
    .addColumn('embedding', postgres ? sql`real[]` : 'blob')
    .execute();
  await db.schema
    .createIndex('knowledge_chunks_document')
    .on('knowledge_chunks')
    .columns(['document_id', 'chunk_index'])
    .unique()
    .execute();
  await db.schema.createIndex('knowledge_chunks_group').on('knowledge_chunks').column('group_id').execute();
  if (postgres) await postgresIndex(db);
  else await sqliteIndex(db);
}

async function sqliteIndex(db: Kysely<unknown>): Promise<void> {
  // porter: "opening" finds "open"; unicode61 with diacritics removed: "cafe" finds "café".
  await sql`create virtual table knowledge_words using fts5(content, content='knowledge_chunks', content_rowid='id', tokenize="porter unicode61 remove_diacritics 2")`.execute(
    db,
  );
  await sql`create trigger knowledge_words_insert after insert on knowledge_chunks begin
    insert into knowledge_words(rowid, content) values (new.id, new.content); end`.execute(db);
  await sql`create trigger knowledge_words_delete after delete on knowledge_chunks begin
    insert into knowledge_words(knowledge_words, rowid, content) values ('delete', old.id, old.content); end`.execute(
    db,
  );
}

async function postgresIndex(db: Kysely<unknown>): Promise<void> {
  await sql`alter table knowledge_chunks add column words tsvector generated always as (to_tsvector('english', content)) stored`.execute(
    db,
  );
  await sql`create index knowledge_chunks_words on knowledge_chunks using gin (words)`.execute(db);
}
