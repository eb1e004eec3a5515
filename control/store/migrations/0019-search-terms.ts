import { type Kysely, sql } from 'kysely';
import { searchTerms } from '../search/search-terms.ts';
import { isPostgres } from '../dialect-of.ts';

/** Passages that are read and written at a time. */
const AT_ONCE = 500;

/**
 * Both databases find passages by terms that the service makes, of passages as of questions: their own ways to divide
 * and to fold words differ, and neither finds Japanese or, in PostgreSQL, a word with an accent. Passages that are there
 * are indexed again. A note tells what is doubtful of a document.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('knowledge_documents').addColumn('note', 'text').execute();
  const postgres = isPostgres(db);
  if (postgres) await sql`alter table knowledge_chunks drop column words`.execute(db);
  else
    for (const old of ['trigger knowledge_words_insert', 'trigger knowledge_words_delete', 'table knowledge_words'])
      await sql.raw(`drop ${old}`).execute(db);
  await db.schema
    .alterTable('knowledge_chunks')
    .addColumn('terms', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await addTerms(db);
  if (postgres) await postgresIndex(db);
  else await sqliteIndex(db);
}

async function addTerms(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ;) {
    const { rows } = await sql<{ id: number; content: string }>`
      select id, content from knowledge_chunks where id > ${last} order by id limit ${AT_ONCE}`.execute(db);
    for (const { id, content } of rows)
      await sql`update knowledge_chunks set terms = ${searchTerms(content).terms} where id = ${id}`.execute(db);
    if (rows.length < AT_ONCE) return;
    last = Number(rows.at(-1)!.id);
  }
}

async function sqliteIndex(db: Kysely<unknown>): Promise<void> {
  // ascii: whatever is no ASCII sign is left as it is. What divides terms is the blank between them.
  await sql`create virtual table knowledge_words using fts5(terms, content='knowledge_chunks', content_rowid='id', tokenize="ascii tokenchars '_'")`.execute(
    db,
  );
  await sql`insert into knowledge_words(knowledge_words) values ('rebuild')`.execute(db);
  await sql`create trigger knowledge_words_insert after insert on knowledge_chunks begin
    insert into knowledge_words(rowid, terms) values (new.id, new.terms); end`.execute(db);
  await sql`create trigger knowledge_words_delete after delete on knowledge_chunks begin
    insert into knowledge_words(knowledge_words, rowid, terms) values ('delete', old.id, old.terms); end`.execute(db);
}

async function postgresIndex(db: Kysely<unknown>): Promise<void> {
  await sql`alter table knowledge_chunks add column words tsvector
    generated always as (array_to_tsvector(string_to_array(terms, ' '))) stored`.execute(db);
  await sql`create index knowledge_chunks_words on knowledge_chunks using gin (words)`.execute(db);
}
